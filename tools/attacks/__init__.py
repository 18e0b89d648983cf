"""The hostile library of `make attack`: one file for each kind of input, and the arena in which each input is tried."""
