/* Lamport's bakery, as in tests/models_for_tests/bakery.py. PROCESSES and LARGEST are given. */
bit choosing[PROCESSES];
byte number[PROCESSES], inside;

active [PROCESSES] proctype process() {
  byte asked, highest;
away:
  if
  :: d_step { choosing[_pid] = 1; asked = 0; highest = 0 }
  fi;
chooses:
  if
  :: d_step { asked < PROCESSES && number[asked] > highest -> highest = number[asked]; asked++ };
     goto chooses
  :: d_step { asked < PROCESSES && number[asked] <= highest -> asked++ }; goto chooses
  :: d_step { asked == PROCESSES && highest < LARGEST ->
       number[_pid] = highest + 1; asked = 0; choosing[_pid] = 0 }
  fi;
looks:
  if
  :: asked < PROCESSES && !choosing[asked]
  :: d_step { asked == PROCESSES -> inside++; assert(inside == 1) }; goto in
  fi;
  d_step { number[asked] == 0 || number[asked] > number[_pid] ||
           (number[asked] == number[_pid] && _pid <= asked) -> asked++ };
  goto looks;
in:
  if
  :: d_step { number[_pid] = 0; inside-- }
  fi;
  goto away
}
