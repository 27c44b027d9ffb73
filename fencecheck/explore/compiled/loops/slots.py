"""Names of the slots of small arrays, and the sizes, that the loops share with who calls them."""

FINISHED, GROW, DRAIN, STOPPED = 0, 1, 2, 3  # what a thread comes back for
# shape: words and bits of a state, its bytes in the log, lines, bits of a remainder and of a slot,
# states there is room for, and of the table of those far from home its address, its places, how
# many are in use; the address of the states' coding; SPENT is how many
# budgets make states superfluous, and under dominance more stands behind it
WORDS, BITS, SIZE, LINES, REST, WIDTH, ROOM, FAR, FAR_SIZE, FAR_COUNT, CODING, SPENT = range(12)
LEFT_BITS, BORDERS = REST, WIDTH  # under dominance: bits of what is left, where its budgets begin
# coding: words of a state as kernels know it, its bytes in the log, whether it is kept as a key of
# one word; from FIRST_PART on for each word PART fields of its dictionary: addresses of its values
# and of the places where they are found, the last place, values held and how many may be, and where
# the number of a value begins in a key, and its bits
STATE_WORDS, STATE_SIZE, KEYED, FIRST_PART = range(4)
VALUES, PLACES, LAST_PLACE, HELD, MOST_HELD, KEY_SHIFT, KEY_BITS, PART = range(8)
NEXT_CHUNK, RESERVED, STOP = range(3)  # common
END, CHUNK_UNDER_WAY, TRANSITIONS, NOTED, CAME_BACK, OWN = range(6)  # own, and its size
# addresses of a kernel's arrays, and of the states that are read from the log for it
OUT, OFFSETS, SWITCHES, FLAGS, SEEN, SCRATCH, LABELS, SOURCE = range(8)
CHUNK = LONGEST = 2048  # states of a chunk; the longest that compiled loops make, for buffers
RECENT_SHIFT = 50
RECENT = 1 << 64 - RECENT_SHIFT  # states of the filter of those just seen
ROW_SHIFT = 51
ROWS = 1 << 64 - ROW_SHIFT  # the same for states of several words, which stand behind
FARTHEST = 3  # lines that a state can be in: what its distance in two bits can say
AHEAD = 32  # how far ahead memory is asked for
BLOCK = 128  # the same for tables of quotients
KEYS = 2048  # states that are made keys at a time
LANES = 512  # random walks under way at a time
ENDED, CUT, FAILED = 0, 1, 2  # how a random walk ended
