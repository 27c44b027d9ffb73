/* Two-phase commit, as in tests/models_for_tests/two_phase.py. MANAGERS is given, and for macros
   EACH(m), which is m(0) m(1) ..., and ANY(m), which is (m(0) || m(1) ...). */
byte rm[MANAGERS];   /* working, prepared, committed, aborted */
byte tm;             /* undecided, to commit, to abort */
short heard, ready;  /* a bit for each manager */
bit commit_sent, abort_sent;

#define COMMITTED(i) rm[i] == 2
#define ABORTED(i) rm[i] == 3
#define CHECK assert(!(ANY(COMMITTED) && ANY(ABORTED)))

#define MANAGER(i) \
  :: d_step { tm == 0 && (ready & (1 << i)) -> heard = heard | (1 << i); CHECK } \
  :: d_step { rm[i] == 0 -> rm[i] = 1; ready = ready | (1 << i); CHECK } \
  :: d_step { rm[i] == 0 -> rm[i] = 3; CHECK } \
  :: d_step { commit_sent -> rm[i] = 2; CHECK } \
  :: d_step { abort_sent -> rm[i] = 3; CHECK }

active proctype system() {
  do
  :: d_step { tm == 0 && heard == (1 << MANAGERS) - 1 -> tm = 1; commit_sent = 1; CHECK }
  :: d_step { tm == 0 -> tm = 2; abort_sent = 1; CHECK }
  EACH(MANAGER)
  od
}
