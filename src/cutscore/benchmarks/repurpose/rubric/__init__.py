"""A rubric: its items and how they may be worded, predicates that answer them without a judge, and its points."""
