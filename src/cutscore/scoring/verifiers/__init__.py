"""Evidence → yes or no, the same at every rerun."""
