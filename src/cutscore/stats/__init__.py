"""Numbers to estimates: every mean with its interval, every difference paired."""
