"""The fixed loops of the compiled engine: model-independent machine code, and how it is called.

What they do stands in the folder loops, and is compiled by ``native``. How states stand in the log
is their ``coding``: state s begins at its byte ``s * size``. Of a state of one word only the bytes
that its bits need are kept. Of one of two to five words a key of one word is kept: each of its
words has a number in an exact dictionary, and a key is those numbers beside each other. Of others,
and where that is not worth it, all words are kept.

A table is exact, of lines of 64 bytes, and comes in two kinds. With one word a state, or a key, it
holds quotients: a bijection mixes the ``bits`` of a state, its upper 32 bits times the number of
lines give its home line, and the low bits, which with the line identify the state, are kept below
the distance from home (1 + lines walked, at most 3) in the top two bits of a slot. Slots have 32,
40, 48 or 64 bits: the fewest that hold both, so they become narrower as a table grows. A state of
which three lines are full is kept whole in a small table of its own, ``far``, which is asked only
where they are full. With more words a slot holds the upper 32 bits of a hash, which give the line,
and the number of a state in the log, whose words are compared. A slot of 0 is empty. Lines ascend
with the hash however many there are, so a table moves into a larger one from front to back, without
jumping about.

The ``shape`` of a table, the ``coding``, what is ``common`` to the threads of a level, and what is
a thread's ``own`` are small arrays; their slots are named in ``loops.slots``. ``shared`` is 0 where
one thread works alone. A kernel is called with the address of its code and the arrays ``out``,
``offsets``, ``switches``, ``flags``, ``seen``, ``scratch`` and ``labels``; the states are read from
the log into ``source`` before.
"""

from __future__ import annotations

from fencecheck.explore.native.code import NativeCode

CODE = NativeCode(
    __package__ + ".loops",
    (
        "slots",
        "intrinsics",
        "lines",
        "states",
        "quotients",
        "keys",
        "tables",
        "dominance",
        "successors",
        "edges",
    ),
)
load = CODE.load

# -- the log ------------------------------------------------------------------------------------
read_states = CODE.declare(
    "i64 read_states(u64* log, i64 first, i64 count, i64* coding, u64* states)"
)
write_states = CODE.declare(
    "i64 write_states(u64* log, i64 first, i64 count, i64* coding, u64* states)"
)
make_keys = CODE.declare("i64 make_keys(u64* source, i64 count, i64* coding, u64* keys)")
refill_places = CODE.declare("i64 refill_places(u64* old, i64 old_count, u64* places, i64 last)")
change_keys = CODE.declare(
    "i64 change_keys(u64* log, i64* own, i64 threads, i64 stride, i64* coding, i64* wider)"
)

# -- tables -------------------------------------------------------------------------------------
insert = CODE.declare(
    "i64 insert(u64* source, i64 count, u64* log, i64* own, u64* table, i64* shape, u64* recent, "
    "i64 shared)"
)
reinsert = CODE.declare(
    "i64 reinsert(u64* log, i64 first, i64 count, u64* table, i64* shape, i64 shared)"
)
move = CODE.declare(
    "i64 move(u64* old, i64* old_shape, i64 first, i64 last, i64 onto, i64 before, u64* table, "
    "i64* shape, i64 shared)"
)
move_far = CODE.declare("i64 move_far(u64* far, i64 size, u64* table, i64* shape)")

# -- tables under dominance -----------------------------------------------------------------------
insert_needed = CODE.declare(
    "i64 insert_needed(u64* source, i64 count, u64* log, i64* own, u64* table, i64* shape, "
    "i64 shared)"
)
reinsert_needed = CODE.declare(
    "i64 reinsert_needed(u64* log, i64 first, i64 count, u64* table, i64* shape, i64 shared)"
)
strike_covered = CODE.declare(
    "i64 strike_covered(u64* log, i64 first, i64 count, u64* table, i64* shape, u8* struck)"
)
close_gaps = CODE.declare(
    "i64 close_gaps(u64* log, i64 first, i64 count, u64* table, i64* shape, u8* struck)"
)

# -- searches -----------------------------------------------------------------------------------
search_level = CODE.declare(
    "i64 search_level(i64 kernel, i64* buffers, u64* log, i64* chunks, i64 chunk_count, "
    "i64* common, i64* own, u64* table, i64* shape, u64* recent, u32* watch, i64 flag_words, "
    "i64* noted, i64 note_count, i64 shared)"
)
search_small_levels = CODE.declare(
    "i64 search_small_levels(i64 kernel, i64* buffers, u64* log, i64 first, i64* own, u64* table, "
    "i64* shape, u64* recent, u32* watch, i64 flag_words, u32* kept, i64 seen_words, i64* ends, "
    "i64 level_count, i64 most, i64 others)"
)
judge_states = CODE.declare(
    "i64 judge_states(i64 kernel, i64* buffers, u64* log, i64 first, i64 count, i64* coding)"
)
find_sources = CODE.declare(
    "i64 find_sources(i64 kernel, i64* buffers, u64* log, i64 first, i64 last, "
    "i64* coding, u64* targets, i64* target_table, i64 places, i64* found, i64 found_count)"
)
index_targets = CODE.declare(
    "i64 index_targets(u64* targets, i64 count, i64* target_table, i64 size, i64 words)"
)

# -- edges of a graph, random walks -------------------------------------------------------------
index_states = CODE.declare(
    "i64 index_states(u64* log, i64 first, i64 end, u64* table, i64 size, i64 words)"
)
find_states = CODE.declare(
    "i64 find_states(u64* log, u64* table, i64 size, i64 words, u64* states, i64 count, "
    "u32* numbers)"
)
find_edges = CODE.declare(
    "i64 find_edges(i64 kernel, i64* buffers, u64* log, i64 first, i64 count, u64* table, "
    "i64 size, i64 words, i64* starts, u32* targets, u16* labels, i64 edge_count, u32* marks, "
    "i64 mark_words)"
)
find_needed_edges = CODE.declare(
    "i64 find_needed_edges(i64 kernel, i64* buffers, u64* log, i64 first, i64 count, u64* table, "
    "i64* shape, i64* starts, u32* targets, u16* labels, i64 edge_count, u32* marks, "
    "i64 mark_words)"
)
