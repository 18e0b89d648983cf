"""Passwords and logging in, for every site alike."""

import hashlib
import hmac
from functools import cache

from cutscore.benchmarks.videowebarena.websites.visit import Visit

_COST = {"n": 2**10, "r": 8, "p": 1}  # of a database that is thrown away


@cache
def hash_password(password: str, account: str) -> str:
    """Return what is kept of a password; salted by the account, so that equal seeds give equal rows."""
    return hashlib.scrypt(password.encode(), salt=account.encode(), **_COST).hex()


def matches_password(password: str, account: str, kept: str) -> bool:
    """Return whether a password is that of an account; an account without one lets nobody in."""
    return bool(kept) and hmac.compare_digest(hash_password(password, account), kept)


def enter(visit: Visit, account: str) -> None:
    """Log somebody in, whoever was before."""
    visit.session.account = account
    visit.session.data = {}


def leave(visit: Visit) -> None:
    """Log out."""
    visit.session.account = ""
    visit.session.data = {}
