"""AgenticVBench, repair: a clip with one defect in it, to be found and mended."""
