"""Which weaknesses of two lists are the same: the one place for votes, cards and the optimiser.

Types (`Confusion`, `Matcher`, `MatchResult`) are in `core.matching`: cards in `results/`, a neighbour of this package,
get a function of that type from whoever stands above both. The assignment itself is in `stats.matching`.
"""
