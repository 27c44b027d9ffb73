"""Names of the slots of small arrays, and the sizes, that the loops share with who calls them."""

FINISHED, GROW, DRAIN, STOPPED = 0, 1, 2, 3  # what a thread comes back for
# shape: words and bits of a state, lines, bits of a remainder, states there is room for,
# and 2**bits divided by the lines: how many to each, how many over
# SPENT is how many budgets make states superfluous; under dominance more stands behind it
WORDS, BITS, LINES, REST, ROOM, EACH, OVER, SPENT = range(8)
LEFT_BITS, BORDERS = REST, EACH  # under dominance: bits of what is left, where its budgets begin
NEXT_CHUNK, RESERVED, STOP = range(3)  # common
END, CHUNK_UNDER_WAY, TRANSITIONS, NOTED, CAME_BACK = range(5)  # own
OUT, OFFSETS, SWITCHES, FLAGS, SEEN, SCRATCH, LABELS = range(7)  # addresses of a kernel's arrays
CHUNK = 2048
RECENT = 1 << 14  # states of the filter of those just seen, a power of two
AHEAD = 32  # how far ahead memory is asked for
BLOCK = 128  # the same for tables of quotients
LANES = 512  # random walks under way at a time
ENDED, CUT, FAILED = 0, 1, 2  # how a random walk ended
