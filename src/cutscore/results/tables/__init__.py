"""Rows → tables: who was measured on which input, means with intervals, paired differences, and tables as files."""
