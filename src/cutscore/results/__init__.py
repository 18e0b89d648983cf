"""Rows → estimates, pairs, verdicts and tables: what the command line, the report and the Python API all read."""
