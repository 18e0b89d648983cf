"""Which colour fills the screen at a given moment? The smallest benchmark, made to be copied."""
