/*
 * fencecheck/export/1: written by fencecheck 0.1.0
 * model two_phase (9212ccd6f4be9702)
 * Two-phase commit: two_phase
 * bounds: managers=3
 * must come out: 288 states, 1,145 transitions
 * holds: consistent
 */
c_code {
\#include "model.h"
}

byte rm_0 = 3;  /* rm[0]: 0 is aborted, 1 is committed, 2 is prepared, 3 is working */
byte rm_1 = 3;  /* rm[1]: 0 is aborted, 1 is committed, 2 is prepared, 3 is working */
byte rm_2 = 3;  /* rm[2]: 0 is aborted, 1 is committed, 2 is prepared, 3 is working */
byte tm = 2;  /* tm: 0 is aborted, 1 is committed, 2 is init */
byte heard_0 = 0;  /* heard|0: 0 to 2 */
byte ready_0 = 0;  /* ready|0: 0 to 2 */
bit commit_sent = 0;  /* commit_sent: true or false */
bit abort_sent = 0;  /* abort_sent: true or false */

active proctype system()
{
end:
  do
  :: c_expr { LOOK } -> skip
  /* coordinator.hear #1 */
  :: d_step { c_expr { CAN_coordinator_hear_1 } -> c_code { do_coordinator_hear_1(); } }
  /* coordinator.hear #2 */
  :: d_step { c_expr { CAN_coordinator_hear_2 } -> c_code { do_coordinator_hear_2(); } }
  /* coordinator.hear #3 */
  :: d_step { c_expr { CAN_coordinator_hear_3 } -> c_code { do_coordinator_hear_3(); } }
  /* coordinator.commit #1 */
  :: d_step { c_expr { CAN_coordinator_commit_1 } -> c_code { do_coordinator_commit_1(); } }
  /* coordinator.abort #1 */
  :: d_step { c_expr { CAN_coordinator_abort_1 } -> c_code { do_coordinator_abort_1(); } }
  /* manager.prepare #1 */
  :: d_step { c_expr { CAN_manager_prepare_1 } -> c_code { do_manager_prepare_1(); } }
  /* manager.prepare #2 */
  :: d_step { c_expr { CAN_manager_prepare_2 } -> c_code { do_manager_prepare_2(); } }
  /* manager.prepare #3 */
  :: d_step { c_expr { CAN_manager_prepare_3 } -> c_code { do_manager_prepare_3(); } }
  /* manager.choose_to_abort #1 */
  :: d_step { c_expr { CAN_manager_choose_to_abort_1 } -> c_code { do_manager_choose_to_abort_1(); } }
  /* manager.choose_to_abort #2 */
  :: d_step { c_expr { CAN_manager_choose_to_abort_2 } -> c_code { do_manager_choose_to_abort_2(); } }
  /* manager.choose_to_abort #3 */
  :: d_step { c_expr { CAN_manager_choose_to_abort_3 } -> c_code { do_manager_choose_to_abort_3(); } }
  /* manager.receive_commit #1 */
  :: d_step { c_expr { CAN_manager_receive_commit_1 } -> c_code { do_manager_receive_commit_1(); } }
  /* manager.receive_commit #2 */
  :: d_step { c_expr { CAN_manager_receive_commit_2 } -> c_code { do_manager_receive_commit_2(); } }
  /* manager.receive_commit #3 */
  :: d_step { c_expr { CAN_manager_receive_commit_3 } -> c_code { do_manager_receive_commit_3(); } }
  /* manager.receive_abort #1 */
  :: d_step { c_expr { CAN_manager_receive_abort_1 } -> c_code { do_manager_receive_abort_1(); } }
  /* manager.receive_abort #2 */
  :: d_step { c_expr { CAN_manager_receive_abort_2 } -> c_code { do_manager_receive_abort_2(); } }
  /* manager.receive_abort #3 */
  :: d_step { c_expr { CAN_manager_receive_abort_3 } -> c_code { do_manager_receive_abort_3(); } }
  od
}
