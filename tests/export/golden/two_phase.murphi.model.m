-- fencecheck/export/1: written by fencecheck 0.1.0
-- model two_phase (9212ccd6f4be9702)
-- Two-phase commit: two_phase
-- bounds: managers=3
-- must come out: 288 states, 1,145 transitions
-- holds: consistent

type word: -4611686018427387904..4611686018427387904;

var
  rm_0: 0..3;  -- rm[0]: 0 is aborted, 1 is committed, 2 is prepared, 3 is working
  rm_1: 0..3;  -- rm[1]: 0 is aborted, 1 is committed, 2 is prepared, 3 is working
  rm_2: 0..3;  -- rm[2]: 0 is aborted, 1 is committed, 2 is prepared, 3 is working
  tm: 0..2;  -- tm: 0 is aborted, 1 is committed, 2 is init
  heard_0: 0..7;  -- heard|0: 0 to 2
  ready_0: 0..7;  -- ready|0: 0 to 2
  commit_sent: boolean;  -- commit_sent: true or false
  abort_sent: boolean;  -- abort_sent: true or false

function can_coordinator_hear_1(): boolean;
begin
  return ((tm = 2) & !((ready_0 & 1) = 0));
end;

function can_coordinator_hear_2(): boolean;
begin
  return ((tm = 2) & !(0 = (ready_0 & 2)));
end;

function can_coordinator_hear_3(): boolean;
begin
  return ((tm = 2) & !(0 = (ready_0 & 4)));
end;

function can_coordinator_commit_1(): boolean;
begin
  return ((tm = 2) & ((((heard_0 & 1) + ((heard_0 >> 1) & 1)) + (heard_0 >> 2)) = 3));
end;

function can_coordinator_abort_1(): boolean;
begin
  return (tm = 2);
end;

function can_manager_prepare_1(): boolean;
begin
  return (3 = rm_0);
end;

function can_manager_prepare_2(): boolean;
begin
  return (3 = rm_1);
end;

function can_manager_prepare_3(): boolean;
begin
  return (3 = rm_2);
end;

function can_manager_choose_to_abort_1(): boolean;
begin
  return (3 = rm_0);
end;

function can_manager_choose_to_abort_2(): boolean;
begin
  return (3 = rm_1);
end;

function can_manager_choose_to_abort_3(): boolean;
begin
  return (3 = rm_2);
end;

function can_manager_receive_commit_1(): boolean;
begin
  return commit_sent;
end;

function can_manager_receive_commit_2(): boolean;
begin
  return commit_sent;
end;

function can_manager_receive_commit_3(): boolean;
begin
  return commit_sent;
end;

function can_manager_receive_abort_1(): boolean;
begin
  return abort_sent;
end;

function can_manager_receive_abort_2(): boolean;
begin
  return abort_sent;
end;

function can_manager_receive_abort_3(): boolean;
begin
  return abort_sent;
end;

startstate "1"
begin
  rm_0 := 3;
  rm_1 := 3;
  rm_2 := 3;
  tm := 2;
  heard_0 := 0;
  ready_0 := 0;
  commit_sent := false;
  abort_sent := false;
end;

rule "coordinator.hear #1"
  can_coordinator_hear_1() ==>
var
  new_heard_0: 0..7;
begin
  new_heard_0 := (heard_0 | 1);
  heard_0 := new_heard_0;
end;

rule "coordinator.hear #2"
  can_coordinator_hear_2() ==>
var
  new_heard_0: 0..7;
begin
  new_heard_0 := (heard_0 | 2);
  heard_0 := new_heard_0;
end;

rule "coordinator.hear #3"
  can_coordinator_hear_3() ==>
var
  new_heard_0: 0..7;
begin
  new_heard_0 := (heard_0 | 4);
  heard_0 := new_heard_0;
end;

rule "coordinator.commit #1"
  can_coordinator_commit_1() ==>
var
  new_tm: 0..2;
  new_commit_sent: boolean;
begin
  new_tm := 1;
  new_commit_sent := true;
  tm := new_tm;
  commit_sent := new_commit_sent;
end;

rule "coordinator.abort #1"
  can_coordinator_abort_1() ==>
var
  new_tm: 0..2;
  new_abort_sent: boolean;
begin
  new_tm := 0;
  new_abort_sent := true;
  tm := new_tm;
  abort_sent := new_abort_sent;
end;

rule "manager.prepare #1"
  can_manager_prepare_1() ==>
var
  new_rm_0: 0..3;
  new_ready_0: 0..7;
begin
  new_rm_0 := 2;
  new_ready_0 := (ready_0 | 1);
  rm_0 := new_rm_0;
  ready_0 := new_ready_0;
end;

rule "manager.prepare #2"
  can_manager_prepare_2() ==>
var
  new_rm_1: 0..3;
  new_ready_0: 0..7;
begin
  new_rm_1 := 2;
  new_ready_0 := (ready_0 | 2);
  rm_1 := new_rm_1;
  ready_0 := new_ready_0;
end;

rule "manager.prepare #3"
  can_manager_prepare_3() ==>
var
  new_rm_2: 0..3;
  new_ready_0: 0..7;
begin
  new_rm_2 := 2;
  new_ready_0 := (ready_0 | 4);
  rm_2 := new_rm_2;
  ready_0 := new_ready_0;
end;

rule "manager.choose_to_abort #1"
  can_manager_choose_to_abort_1() ==>
var
  new_rm_0: 0..3;
begin
  new_rm_0 := 0;
  rm_0 := new_rm_0;
end;

rule "manager.choose_to_abort #2"
  can_manager_choose_to_abort_2() ==>
var
  new_rm_1: 0..3;
begin
  new_rm_1 := 0;
  rm_1 := new_rm_1;
end;

rule "manager.choose_to_abort #3"
  can_manager_choose_to_abort_3() ==>
var
  new_rm_2: 0..3;
begin
  new_rm_2 := 0;
  rm_2 := new_rm_2;
end;

rule "manager.receive_commit #1"
  can_manager_receive_commit_1() ==>
var
  new_rm_0: 0..3;
begin
  new_rm_0 := 1;
  rm_0 := new_rm_0;
end;

rule "manager.receive_commit #2"
  can_manager_receive_commit_2() ==>
var
  new_rm_1: 0..3;
begin
  new_rm_1 := 1;
  rm_1 := new_rm_1;
end;

rule "manager.receive_commit #3"
  can_manager_receive_commit_3() ==>
var
  new_rm_2: 0..3;
begin
  new_rm_2 := 1;
  rm_2 := new_rm_2;
end;

rule "manager.receive_abort #1"
  can_manager_receive_abort_1() ==>
var
  new_rm_0: 0..3;
begin
  new_rm_0 := 0;
  rm_0 := new_rm_0;
end;

rule "manager.receive_abort #2"
  can_manager_receive_abort_2() ==>
var
  new_rm_1: 0..3;
begin
  new_rm_1 := 0;
  rm_1 := new_rm_1;
end;

rule "manager.receive_abort #3"
  can_manager_receive_abort_3() ==>
var
  new_rm_2: 0..3;
begin
  new_rm_2 := 0;
  rm_2 := new_rm_2;
end;

function broken_1(): boolean;
begin
  return ((((1 = rm_0) | (1 = rm_1)) | (1 = rm_2)) & (((0 = rm_0) | (0 = rm_1)) | (0 = rm_2)));
end;

function tested_1(): boolean;
begin
  return (((1 = rm_0) | (1 = rm_1)) | (1 = rm_2));
end;

invariant "consistent" !broken_1();
cover "tested: consistent" tested_1();
