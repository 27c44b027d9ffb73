-- Peterson's algorithm, as in tests/models_for_tests/peterson.py. PROCESSES is given.
type
  Process: 1 .. PROCESSES;
  Level: 0 .. PROCESSES;
  At: enum { away, climbs, announced, looks, in };

var
  at: array [Process] of At;
  level, asked, pos: array [Process] of Level;
  last: array [Process] of Process;

function is_no_higher(p: Process; other: Process): boolean;
begin
  return other = p | pos[other] < level[p];
end;

startstate begin
  for p: Process do
    at[p] := away; level[p] := 0; asked[p] := 0; pos[p] := 0; last[p] := 1;
  end;
end;

ruleset p: Process do
  rule "want" at[p] = away ==> begin at[p] := climbs; level[p] := 1; end;
  rule "announce" at[p] = climbs & level[p] < PROCESSES ==> begin
    pos[p] := level[p]; at[p] := announced;
  end;
  rule "come_last" at[p] = announced ==> begin
    last[level[p]] := p; asked[p] := 0; at[p] := looks;
  end;
  rule "pass_by" at[p] = looks & asked[p] < PROCESSES & is_no_higher(p, asked[p] + 1) ==> begin
    asked[p] := asked[p] + 1;
  end;
  rule "climb" at[p] = looks & (last[level[p]] != p | asked[p] = PROCESSES) ==> begin
    level[p] := level[p] + 1; at[p] := climbs;
  end;
  rule "enter" at[p] = climbs & level[p] = PROCESSES ==> begin at[p] := in; end;
  rule "leave" at[p] = in ==> begin at[p] := away; pos[p] := 0; end;
end;

invariant "alone"
  forall p: Process do forall q: Process do at[p] = in & at[q] = in -> p = q end end;
