"""AgenticVBench, assembly: a clip for each slot of a storyboard, and the film of them."""
