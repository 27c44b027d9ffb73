-- Lamport's bakery, as in tests/models_for_tests/bakery.py. PROCESSES and LARGEST are given.
type
  Process: 1 .. PROCESSES;
  Asked: 0 .. PROCESSES;
  Number: 0 .. LARGEST;
  At: enum { away, chooses, looks, waits, in };

var
  at: array [Process] of At;
  asked: array [Process] of Asked;
  highest, number: array [Process] of Number;
  choosing: array [Process] of boolean;

function goes_before(p: Process; other: Process): boolean;
begin
  return number[other] = 0 | number[other] > number[p] | (number[other] = number[p] & p <= other);
end;

startstate begin
  for p: Process do
    at[p] := away; asked[p] := 0; highest[p] := 0; number[p] := 0; choosing[p] := false;
  end;
end;

ruleset p: Process do
  rule "want" at[p] = away ==> begin
    choosing[p] := true; asked[p] := 0; highest[p] := 0; at[p] := chooses;
  end;
  rule "compare" at[p] = chooses & asked[p] < PROCESSES ==> begin
    if number[asked[p] + 1] > highest[p] then highest[p] := number[asked[p] + 1]; end;
    asked[p] := asked[p] + 1;
  end;
  rule "draw" at[p] = chooses & asked[p] = PROCESSES & highest[p] < LARGEST ==> begin
    number[p] := highest[p] + 1; asked[p] := 0; choosing[p] := false; at[p] := looks;
  end;
  rule "look" at[p] = looks & asked[p] < PROCESSES & !choosing[asked[p] + 1] ==> begin
    at[p] := waits;
  end;
  rule "pass_by" at[p] = waits & goes_before(p, asked[p] + 1) ==> begin
    asked[p] := asked[p] + 1; at[p] := looks;
  end;
  rule "enter" at[p] = looks & asked[p] = PROCESSES ==> begin at[p] := in; end;
  rule "leave" at[p] = in ==> begin number[p] := 0; at[p] := away; end;
end;

invariant "alone"
  forall p: Process do forall q: Process do at[p] = in & at[q] = in -> p = q end end;
