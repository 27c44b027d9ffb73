/* A journal, as in tests/models_for_tests/journal.py. ENTRIES and WINDOW are given. */
short written, flushed, taken;

#define CHECK assert(taken <= flushed && flushed <= written && written <= taken + WINDOW)

active proctype system() {
  do
  :: d_step { written < ENTRIES && written < taken + WINDOW -> written++; CHECK }
  :: d_step { flushed < written -> flushed++; CHECK }
  :: d_step { taken < flushed -> taken++; CHECK }
  od
}
