"""Rows → estimates, pairs, verdicts and tables: what commands, report and Python API all read.

`cells` reads runs. `benchmark` puts the cells of one benchmark together and computes, once, when asked for: estimates
(`estimates`), pairs with verdicts (`pairs`, `comparison`, `flips`), the human reference (`people`), what is known of
judges (`calibration`, `judge_card`) and tables (`tables`). `headline`, `fitness`, `gate`, `input_audit` and `summary`
say what that means; `compare_runs` pairs the cells of several runs.
"""
