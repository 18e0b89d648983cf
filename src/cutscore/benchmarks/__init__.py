"""One folder per benchmark, all alike; `colorbars/` is the one to copy.

A folder with a `benchmark.toml` is a benchmark, here or in any installed package that names itself under the
entry point `cutscore.benchmarks`. There is no list to edit.
"""
