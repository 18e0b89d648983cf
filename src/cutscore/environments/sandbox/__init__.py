"""A box: file system, home, processes and limits of one sample's own, on one machine and without a daemon."""
