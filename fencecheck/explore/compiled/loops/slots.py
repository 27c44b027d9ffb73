"""Names of the slots of small arrays, and the sizes, that the loops share with who calls them."""

FINISHED, GROW, DRAIN, STOPPED = 0, 1, 2, 3  # what a thread comes back for
# shape: words and bits of a state, its bytes in the log, lines, bits of a remainder and of a slot,
# states there is room for, and of the table of those far from home its address, its places, how
# many are in use. SPENT is how many budgets make states superfluous; under dominance more stands
# behind it
WORDS, BITS, SIZE, LINES, REST, WIDTH, ROOM, FAR, FAR_SIZE, FAR_COUNT, SPENT = range(11)
LEFT_BITS, BORDERS = REST, WIDTH  # under dominance: bits of what is left, where its budgets begin
NEXT_CHUNK, RESERVED, STOP = range(3)  # common
END, CHUNK_UNDER_WAY, TRANSITIONS, NOTED, CAME_BACK = range(5)  # own
# addresses of a kernel's arrays, and of the states that are read from the log for it
OUT, OFFSETS, SWITCHES, FLAGS, SEEN, SCRATCH, LABELS, SOURCE = range(8)
CHUNK = 2048
RECENT_SHIFT = 50
RECENT = 1 << 64 - RECENT_SHIFT  # states of the filter of those just seen
FARTHEST = 3  # lines that a state can be in: what its distance in two bits can say
AHEAD = 32  # how far ahead memory is asked for
BLOCK = 128  # the same for tables of quotients
LANES = 512  # random walks under way at a time
ENDED, CUT, FAILED = 0, 1, 2  # how a random walk ended
