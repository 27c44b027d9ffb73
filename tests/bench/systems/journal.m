-- A journal, as in tests/models_for_tests/journal.py. ENTRIES and WINDOW are given.
type
  Entry: 0 .. ENTRIES;

var
  written, flushed, taken: Entry;

startstate begin written := 0; flushed := 0; taken := 0; end;

rule "write" written < ENTRIES & written < taken + WINDOW ==> begin written := written + 1; end;
rule "flush" flushed < written ==> begin flushed := flushed + 1; end;
rule "read" taken < flushed ==> begin taken := taken + 1; end;

invariant "in_order" taken <= flushed & flushed <= written & written <= taken + WINDOW;
