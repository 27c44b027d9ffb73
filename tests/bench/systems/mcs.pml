/* The MCS queue lock, as in tests/models_for_tests/mcs.py. PROCESSES is given. */
#define NOBODY 255
byte next[PROCESSES] = NOBODY, tail = NOBODY, inside;
bit locked[PROCESSES];

active [PROCESSES] proctype process() {
  byte ahead;
away:
  next[_pid] = NOBODY;
  d_step { ahead = tail; tail = _pid };
  if
  :: d_step { ahead == NOBODY -> inside++; assert(inside == 1) }; goto in
  :: ahead != NOBODY
  fi;
  locked[_pid] = 1;
  next[ahead] = _pid;
  d_step { !locked[_pid] -> inside++; assert(inside == 1) };
in:
  if
  :: d_step { next[_pid] == NOBODY -> inside-- }
  :: d_step { next[_pid] != NOBODY -> inside-- }; goto followed
  fi;
  if
  :: d_step { tail == _pid -> tail = NOBODY }; goto away
  :: tail != _pid
  fi;
  next[_pid] != NOBODY;
followed:
  locked[next[_pid]] = 0;
  goto away
}
