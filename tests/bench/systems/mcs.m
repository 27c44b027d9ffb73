-- The MCS queue lock, as in tests/models_for_tests/mcs.py. PROCESSES is given.
type
  Process: 1 .. PROCESSES;
  Perhaps: 0 .. PROCESSES;
  At: enum { away, ready, queued, behind, blocked, waits, in, at_end, followed, stays };

var
  at: array [Process] of At;
  ahead, next: array [Process] of Perhaps;
  locked: array [Process] of boolean;
  tail: Perhaps;

startstate begin
  for p: Process do at[p] := away; ahead[p] := 1; next[p] := 0; locked[p] := false; end;
  tail := 0;
end;

ruleset p: Process do
  rule "prepare" at[p] = away ==> begin next[p] := 0; at[p] := ready; end;
  rule "swap" at[p] = ready ==> begin ahead[p] := tail; tail := p; at[p] := queued; end;
  rule "enter" at[p] = queued & ahead[p] = 0 ==> begin at[p] := in; end;
  rule "fall_in" at[p] = queued & ahead[p] != 0 ==> begin at[p] := behind; end;
  rule "block" at[p] = behind ==> begin locked[p] := true; at[p] := blocked; end;
  rule "tell" at[p] = blocked ==> begin next[ahead[p]] := p; at[p] := waits; end;
  rule "enter_in_turn" at[p] = waits & !locked[p] ==> begin at[p] := in; end;
  rule "find_nobody" at[p] = in & next[p] = 0 ==> begin at[p] := at_end; end;
  rule "find_follower" at[p] = in & next[p] != 0 ==> begin at[p] := followed; end;
  rule "leave_empty" at[p] = at_end & tail = p ==> begin tail := 0; at[p] := away; end;
  rule "stay" at[p] = at_end & tail != p ==> begin at[p] := stays; end;
  rule "hear" at[p] = stays & next[p] != 0 ==> begin at[p] := followed; end;
  rule "hand_over" at[p] = followed ==> begin locked[next[p]] := false; at[p] := away; end;
end;

invariant "alone"
  forall p: Process do forall q: Process do at[p] = in & at[q] = in -> p = q end end;
