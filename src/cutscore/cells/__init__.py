"""A cell: what identifies it, what its items ask, how a sample of it is marked; knows no Inspect."""
