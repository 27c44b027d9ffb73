-- Lamport's fast mutual exclusion, as in tests/models_for_tests/lamport.py. PROCESSES is given.
type
  Process: 1 .. PROCESSES;
  Perhaps: 0 .. PROCESSES;
  At: enum { away, wanting, first, waits, free, second, looks, looked, in, leaving };

var
  at: array [Process] of At;
  asked: array [Process] of Perhaps;
  wants: array [Process] of boolean;
  x, y: Perhaps;

startstate begin
  for p: Process do at[p] := away; asked[p] := 0; wants[p] := false; end;
  x := 0; y := 0;
end;

ruleset p: Process do
  rule "want" at[p] = away ==> begin wants[p] := true; at[p] := wanting; end;
  rule "come_last" at[p] = wanting ==> begin x := p; at[p] := first; end;
  rule "stand_back" at[p] = first & y != 0 ==> begin wants[p] := false; at[p] := waits; end;
  rule "start_again" at[p] = waits & y = 0 ==> begin at[p] := away; end;
  rule "find_free" at[p] = first & y = 0 ==> begin at[p] := free; end;
  rule "hold" at[p] = free ==> begin y := p; at[p] := second; end;
  rule "enter" at[p] = second & x = p ==> begin at[p] := in; end;
  rule "yield_gate" at[p] = second & x != p ==> begin
    wants[p] := false; asked[p] := 0; at[p] := looks;
  end;
  rule "pass_by" at[p] = looks & asked[p] < PROCESSES & !wants[asked[p] + 1] ==> begin
    asked[p] := asked[p] + 1;
  end;
  rule "look_back" at[p] = looks & asked[p] = PROCESSES ==> begin at[p] := looked; end;
  rule "enter_late" at[p] = looked & y = p ==> begin at[p] := in; end;
  rule "give_up" at[p] = looked & y = 0 ==> begin at[p] := away; end;
  rule "give_back" at[p] = in ==> begin y := 0; at[p] := leaving; end;
  rule "leave" at[p] = leaving ==> begin wants[p] := false; at[p] := away; end;
end;

invariant "alone"
  forall p: Process do forall q: Process do at[p] = in & at[q] = in -> p = q end end;
