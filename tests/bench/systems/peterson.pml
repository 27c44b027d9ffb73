/* Peterson's algorithm, as in tests/models_for_tests/peterson.py. PROCESSES is given. */
byte pos[PROCESSES], last[PROCESSES], inside;

active [PROCESSES] proctype process() {
  byte level, asked;
away:
  level = 1;
climbs:
  if
  :: d_step { level < PROCESSES -> pos[_pid] = level }
  :: d_step { level == PROCESSES -> inside++; assert(inside == 1) }; goto in
  fi;
  d_step { last[level - 1] = _pid; asked = 0 };
looks:
  if
  :: d_step { asked < PROCESSES && (asked == _pid || pos[asked] < level) -> asked++ }; goto looks
  :: d_step { last[level - 1] != _pid || asked == PROCESSES -> level++ }; goto climbs
  fi;
in:
  if
  :: d_step { pos[_pid] = 0; inside-- }
  fi;
  goto away
}
