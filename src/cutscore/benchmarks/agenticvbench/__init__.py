"""AgenticVBench as a whole: no benchmark, but the tables over its four families, its prices and its numbers."""
