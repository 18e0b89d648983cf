"""Subjects that repeat a secret of the environment, each in another way."""

import os
import sys


def _secret() -> str:
    return os.environ.get("CANARY_API_KEY", "nothing")


def subject_fails(ask, context):
    raise RuntimeError(f"401 with key {_secret()}")


def ours_fails(ask, context):
    context.store.path(f"not a reference but {_secret()}")


def prints(ask, context):
    sys.stdout.write("to standard output\n")
    sys.stderr.write("to standard error\n")
    return "blue"


def delivers(ask, context):
    file = context.workspace / "answer.json"
    file.write_text(f'{{"answer": "{_secret()}"}}')
    return [file]
