"""AgenticVBench, sequencing: shuffled clips of a film back into the order of its story."""
