"""Metrics beside the checklist: on pixels, and by models of the hub from weights that a file names."""
