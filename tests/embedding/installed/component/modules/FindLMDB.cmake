# A module of the host's own, which makes another target than ours.
set(LMDB_FOUND TRUE)
