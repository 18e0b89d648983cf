"""Which colour, which word, how many balls at a given moment? The smallest benchmark, made to be copied."""
