"""Command-line agents as subjects: one small file for each, all of the same shape (`adapter.py`)."""
