"""The git host: repositories that can be cloned, issues, merge requests that merge, members, stars, forks.

repositories.py   branches and commits        object_table.py   git objects as rows
merging.py        three-way merges            diffs.py   what a commit changed, line by line
clone.py          `git clone` over HTTP       access.py  who may see and do what
issuables.py      what issues and merge requests share: labels, assignees, comments, lists with filters
contents.toml     what is there at the start; `seeding.py` and `seeded_history.py` make tables and commits of it
"""
