"""A family of tasks that is marked in no time: which cuts are in a clip? One score is a ratio, one a metric."""
