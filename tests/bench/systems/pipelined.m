-- The pipelined fence, as in tests/models_for_tests/pipelined.py. Its five sizes are given.
type
  Step: 1 .. STEPS;
  Rev: 0 .. STEPS + EDITS;
  View: enum { idle, on_its_way, acked, rejected };
  Answer: enum { accepted, refused };

var
  rev: Rev;
  sent: 0 .. STEPS;
  base: array [Step] of Rev;
  view: array [Step] of View;
  net, applied: array [Step] of boolean;
  acks: array [Step] of array [Answer] of boolean;
  edits: 0 .. EDITS;
  retries: 0 .. RETRIES;
  lost: 0 .. LOST_ACKS;
  copies: 0 .. DUPLICATES;
  fresh: boolean;

procedure execute(s: Step);
begin
  if base[s] = rev then
    fresh := fresh & base[s] = rev; rev := rev + 1; applied[s] := true; acks[s][accepted] := true;
  else
    acks[s][refused] := true;
  end;
end;

startstate begin
  rev := 0; sent := 0; edits := 0; retries := 0; lost := 0; copies := 0; fresh := true;
  for s: Step do
    base[s] := 0; view[s] := idle; net[s] := false; applied[s] := false;
    for a: Answer do acks[s][a] := false; end;
  end;
end;

rule "dispatch" sent < STEPS ==> begin
  sent := sent + 1; base[sent] := rev; net[sent] := true; view[sent] := on_its_way;
end;
rule "edit" edits < EDITS ==> begin edits := edits + 1; rev := rev + 1; end;

ruleset s: Step do
  rule "execute" net[s] ==> begin net[s] := false; execute(s); end;
  rule "execute_and_keep" net[s] & copies < DUPLICATES ==> begin
    copies := copies + 1; execute(s);
  end;
  rule "retry" view[s] = on_its_way & retries < RETRIES & !net[s] ==> begin
    net[s] := true; retries := retries + 1;
  end;
  ruleset a: Answer do
    rule "receive" acks[s][a] ==> begin
      acks[s][a] := false;
      if view[s] = on_its_way then
        if a = accepted then view[s] := acked; else view[s] := rejected; end;
      end;
    end;
    rule "lose_ack" acks[s][a] & lost < LOST_ACKS ==> begin
      acks[s][a] := false; lost := lost + 1;
    end;
  end;
end;

invariant "fence_ok" fresh;
