"""The Python API, on which the command line stands; `cutscore` exports its short list (docs/python.md)."""
