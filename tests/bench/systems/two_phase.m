-- Two-phase commit, as in tests/models_for_tests/two_phase.py. MANAGERS is given.
type
  Manager: 1 .. MANAGERS;
  State: enum { working, prepared, committed, aborted };
  Decision: enum { undecided, to_commit, to_abort };

var
  rm: array [Manager] of State;
  tm: Decision;
  heard, ready: array [Manager] of boolean;
  commit_sent, abort_sent: boolean;

startstate begin
  for m: Manager do rm[m] := working; heard[m] := false; ready[m] := false; end;
  tm := undecided; commit_sent := false; abort_sent := false;
end;

rule "commit" tm = undecided & (forall m: Manager do heard[m] end) ==> begin
  tm := to_commit; commit_sent := true;
end;
rule "abort" tm = undecided ==> begin tm := to_abort; abort_sent := true; end;

ruleset m: Manager do
  rule "hear" tm = undecided & ready[m] ==> begin heard[m] := true; end;
  rule "prepare" rm[m] = working ==> begin rm[m] := prepared; ready[m] := true; end;
  rule "choose_to_abort" rm[m] = working ==> begin rm[m] := aborted; end;
  rule "receive_commit" commit_sent ==> begin rm[m] := committed; end;
  rule "receive_abort" abort_sent ==> begin rm[m] := aborted; end;
end;

invariant "consistent"
  !((exists m: Manager do rm[m] = committed end) & (exists m: Manager do rm[m] = aborted end));
