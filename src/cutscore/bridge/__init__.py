"""All that knows Inspect: a cell as a task, handover, score, run, log → rows."""
