"""Labelled judgements → a better judge prompt, written as a file (AVE).

    problem       one judge, labelled samples, S and Φ: what a prompt is worth on a batch
    candidates    every prompt that was tried, and which are refused
    budget        metric calls and dollars, and when a search stops
    walk          what both searches share: validate, propose, book
    gepa_search   Pareto selection, by the library `gepa`
    textgrad_search   a textual gradient, then an update of the whole prompt
    held_out      p0 and p* on the test split, once
    record        the prompt, and beside it all that led to it

Nothing here asks a model: judge, matcher and optimiser are callables, which `api.optimizing` makes from models and
the tests from a world whose truth is known.
"""
