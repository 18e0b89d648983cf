"""Construction: what clients want of a film, written by people, drafted by a model, or known from the stage."""
