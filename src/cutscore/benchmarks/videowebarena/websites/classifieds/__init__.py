"""Classifieds: people publish what they want to be rid of, and others find it, ask about it and comment on it."""
