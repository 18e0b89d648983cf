"""Changes to footage, without truth: what planting does to a clip, and what the reader does to mend one."""
