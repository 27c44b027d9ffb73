/* The pipelined fence, as in tests/models_for_tests/pipelined.py. Its five sizes are given, and for
   macros EACH(m), which is m(0) m(1) .... */
byte rev, sent, edits, retries, lost, copies;
byte base[STEPS], view[STEPS];  /* view: idle, sent, acked, rejected */
byte net, applied, acks;        /* a bit for each step; acks two: accepted, refused */
bit fresh = 1;

#define CHECK assert(fresh)
#define BIT(i) (1 << (i))
#define WITHOUT(set, i) set & (255 - BIT(i))
#define EXECUTE(s) \
  if \
  :: base[s] == rev -> fresh = fresh && base[s] == rev; rev++; \
     applied = applied | BIT(s); acks = acks | BIT(2 * s) \
  :: else -> acks = acks | BIT(2 * s + 1) \
  fi
#define ANSWER(s, i, seen) \
  :: d_step { acks & BIT(i) -> acks = WITHOUT(acks, i); \
              if :: view[s] == 1 -> view[s] = seen :: else fi; CHECK } \
  :: d_step { (acks & BIT(i)) && lost < LOST_ACKS -> acks = WITHOUT(acks, i); lost++; CHECK }
#define STEP(s) \
  :: d_step { sent == s -> base[s] = rev; net = net | BIT(s); view[s] = 1; sent++; CHECK } \
  :: d_step { net & BIT(s) -> net = WITHOUT(net, s); EXECUTE(s); CHECK } \
  :: d_step { (net & BIT(s)) && copies < DUPLICATES -> copies++; EXECUTE(s); CHECK } \
  ANSWER(s, 2 * s, 2) \
  ANSWER(s, 2 * s + 1, 3) \
  :: d_step { view[s] == 1 && retries < RETRIES && !(net & BIT(s)) -> \
              net = net | BIT(s); retries++; CHECK }

active proctype system() {
  do
  EACH(STEP)
  :: d_step { edits < EDITS -> edits++; rev++; CHECK }
  od
}
