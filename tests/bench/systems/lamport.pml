/* Lamport's fast mutual exclusion, as in tests/models_for_tests/lamport.py. PROCESSES is given. */
#define NOBODY 255
bit wants[PROCESSES];
byte x = NOBODY, y = NOBODY, inside;

active [PROCESSES] proctype process() {
  byte asked;
away:
  wants[_pid] = 1;
  x = _pid;
  if
  :: d_step { y != NOBODY -> wants[_pid] = 0 }; y == NOBODY; goto away
  :: y == NOBODY
  fi;
  y = _pid;
  if
  :: d_step { x == _pid -> inside++; assert(inside == 1) }; goto in
  :: d_step { x != _pid -> wants[_pid] = 0; asked = 0 }
  fi;
looks:
  if
  :: d_step { asked < PROCESSES && !wants[asked] -> asked++ }; goto looks
  :: asked == PROCESSES
  fi;
  if
  :: d_step { y == _pid -> inside++; assert(inside == 1) }
  :: y == NOBODY; goto away
  fi;
in:
  if
  :: d_step { y = NOBODY; inside-- }
  fi;
  wants[_pid] = 0;
  goto away
}
