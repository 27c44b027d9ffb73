"""Questions in predicates: what people type after --reach and --invariant, read and checked."""
