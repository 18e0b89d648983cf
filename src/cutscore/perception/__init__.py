"""Looks and listens, and reports what is there; knows no truth."""
