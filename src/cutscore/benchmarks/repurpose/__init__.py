"""AgenticVBench, repurpose: a long film and a client's brief, out comes a short one."""
