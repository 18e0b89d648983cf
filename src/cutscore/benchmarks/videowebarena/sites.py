"""Where the sites of tasks are: placeholders (`__REDDIT__`) ⇄ addresses, from variables and a file.

    REDDIT=http://127.0.0.1:9999  SHOPPING=…  SHOPPING_ADMIN=…  GITLAB=…  MAP=…  CLASSIFIEDS=…  WIKIPEDIA=…  HOMEPAGE=…

are the reference's variables; a site of another name has a variable of its own. A file (`sites.toml` in the working
folder, or what CUTSCORE_SITES names) has the same and more; a variable counts more than the file. Tasks, asks and items
keep placeholders, so that no record depends on a port: who opens a page expands them, and who writes a sentence
contracts addresses again.
"""

import os
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, StringConstraints

from cutscore.core.errors import BadInput, Stopped
from cutscore.core.frozen import FrozenModel
from cutscore.core.strict_json import first_fault

WITH_TASKS = ("reddit", "classifieds", "shopping", "shopping_admin", "gitlab", "map")  # in the paper's order
SITES = (*WITH_TASKS, "wikipedia", "homepage")
WITHOUT_LOGIN = ("map", "wikipedia", "homepage")
FILE_VARIABLE, FILE = "CUTSCORE_SITES", "sites.toml"
RESET_VARIABLE = "CLASSIFIEDS_RESET_TOKEN"
MOST_BYTES = 1_000_000
# Accounts of the published sites, as task files name them. Passwords are the user's to tell.
ACCOUNTS = {
    "reddit": "MarvelsGrantMan136",
    "shopping": "emma.lopez@gmail.com",
    "shopping_admin": "admin",
    "gitlab": "byteblaze",
    "classifieds": "blake.sullivan@gmail.com",
}

# How subjects call the published sites; the reference tells them so in its prompts.
PUBLIC_NAMES = {
    "reddit": "reddit.com",
    "shopping_admin": "luma.com/admin",
    "shopping": "onestopmarket.com",
    "gitlab": "gitlab.com",
    "wikipedia": "wikipedia.org",
    "map": "openstreetmap.org",
    "classifieds": "classifieds.com",
    "homepage": "homepage.com",
}

SiteName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,30}$")]
_PLACEHOLDER = re.compile(r"__([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)__")


def _require_address(written: str) -> str:
    """Refuse what is no http address; one trailing slash is dropped, since tasks write `__REDDIT__/f/…`."""
    try:
        parts = urlsplit(written)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        sound = False
    if not sound or parts.query or parts.fragment or "@" in parts.netloc or re.search(r"\s", written):
        raise ValueError("an address is http://HOST[:PORT][/PATH]")
    return written.removesuffix("/")


Address = Annotated[str, Field(max_length=500), AfterValidator(_require_address)]


class Site(FrozenModel):
    """One site.

    Args:
        account: Who is logged in; that of the published sites when empty.
        password_variable: Environment variable with the password; NAME_PASSWORD when empty.
        login_path: Where account and password are asked for; that of the published sites when empty.
        reset_url: Is sent a POST before a task that wants a reset.
        reset_command: Is run before such a task.
        slots: How many tasks may have its account at once; one task at a time has a site that is put back.
        own_password: Of a site that this process serves itself; no file tells one.
    """

    address: Address
    account: str = ""
    password_variable: str = ""
    login_path: str = ""
    reset_url: str = ""
    reset_command: tuple[str, ...] = ()
    slots: int = Field(default=1, ge=1, le=1000)
    own_password: str = Field(default="", exclude=True, repr=False)


class SiteAddresses(FrozenModel):
    """The sites that are at hand, by name."""

    sites: dict[SiteName, Site] = Field(default_factory=dict)

    @classmethod
    def of(cls, addresses: Mapping[str, str]) -> Self:
        """Return sites by address alone."""
        return cls.model_validate({"sites": {name: {"address": each} for name, each in addresses.items()}})

    @property
    def addresses(self) -> dict[str, str]:
        """The address of each site, which is all that a record keeps."""
        return {name: site.address for name, site in self.sites.items()}

    def expand(self, text: str) -> str:
        """Return a text with addresses in place of placeholders; Stopped where a site is not at hand.

        >>> SiteAddresses.of({"reddit": "http://localhost:9999/"}).expand("__REDDIT__/f/pics")
        'http://localhost:9999/f/pics'
        """
        self.require(sites_in((text,)))
        return _PLACEHOLDER.sub(lambda found: self.sites[found[1].lower()].address, text)

    def contract(self, text: str) -> str:
        """Return a text with placeholders in place of addresses, the longest address first.

        `localhost` and `127.0.0.1` are one host. An address ends at a border: port 80 is not the start of port 8080.

        >>> SiteAddresses.of({"reddit": "http://localhost:9999"}).contract("at http://127.0.0.1:9999/f/pics")
        'at __REDDIT__/f/pics'
        """
        for name, address in sorted(self.addresses.items(), key=lambda pair: (-len(pair[1]), pair[0])):
            written = re.escape(address)
            for host in ("localhost", "127\\.0\\.0\\.1"):
                written = written.replace(f"://{host}", "://(?:localhost|127\\.0\\.0\\.1)")
            text = re.sub(rf"{written}(?![\w.-]*\w)", f"__{name.upper()}__", text)
        return text

    def require(self, names: Iterable[str]) -> None:
        """Raise Stopped when one of these sites is not at hand."""
        if lacking := [name for name in dict.fromkeys(names) if name not in self.sites]:
            told = " ".join(f"{name.upper()}=http://…" for name in lacking)
            raise Stopped(f"site '{lacking[0]}'", "has no address", f"set {told}, or write {FILE}")

    def account(self, name: str, usual: str = "") -> str:
        """Return who is logged in to a site: whom its entry names, else the usual account."""
        return self.sites[name].account or usual or ACCOUNTS.get(name, "")

    def origin(self, name: str) -> str:
        """Return scheme, host and port of a site."""
        parts = urlsplit(self.sites[name].address)
        return f"{parts.scheme}://{parts.netloc}"

    def hosts(self, names: Collection[str]) -> frozenset[str]:
        """Return the host:port of sites: where a task may go."""
        parts = [urlsplit(site.address) for name, site in self.sites.items() if name in names]
        return frozenset(f"{each.hostname}:{each.port or {'http': 80, 'https': 443}[each.scheme]}" for each in parts)


def load_sites(
    environ: Mapping[str, str] = os.environ, folder: Path = Path(), *, names: Iterable[str] = ()
) -> SiteAddresses:
    """Return the sites that variables and the file tell of; none where neither does.

    `names` are sites whose variables count, too. Anybody may have a variable of such a name (HOME), so that only an
    http address is one.
    """
    told = environ.get(FILE_VARIABLE)
    file = Path(told) if told else folder / FILE
    made: dict[str, object] = _read_file(file) if told or file.is_file() else {}
    for name in {*SITES, *made, *names}:
        address = environ.get(name.upper(), "").strip()
        if address and (name in SITES or address.startswith(("http://", "https://"))):
            own = made.get(name)
            made[name] = {**(own if isinstance(own, dict) else {}), "address": address}
    try:
        return SiteAddresses.model_validate({"sites": made})
    except ValueError as error:
        fault = first_fault(error).removeprefix("sites.")
        raise BadInput("sites", fault, f"mend the variable, or {FILE}") from None


def _read_file(file: Path) -> dict[str, object]:
    """Return the tables of a file, `[reddit]` with its `address`; a bare address is short for such a table."""
    what = f"file '{file}'"
    try:
        with file.open("rb") as stream:
            told = tomllib.loads(stream.read(MOST_BYTES).decode())
    except OSError as error:
        raise BadInput(what, f"cannot be read: {error.strerror}", f"correct {FILE_VARIABLE}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(what, f"is not TOML: {error}", "mend it") from None
    if bold := next((name for name, each in told.items() if isinstance(each, dict) and "own_password" in each), None):
        raise BadInput(what, f"'{bold}' has a password in it", f"set {bold.upper()}_PASSWORD instead")
    return {name: {"address": each} if isinstance(each, str) else each for name, each in told.items()}


def sites_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Name the sites whose placeholders occur in texts, in the order of their first occurrence.

    >>> sites_in(["__REDDIT__/f/pics", "func:get_query_text(__page__)", "__SHOPPING_ADMIN__ |AND| __REDDIT__"])
    ('reddit', 'shopping_admin')
    """
    return tuple(dict.fromkeys(name.lower() for text in texts for name in _PLACEHOLDER.findall(text)))


def login_sites(storage_state: str | None) -> tuple[str, ...]:
    """Name the sites of a saved login by its file name; sites without accounts are left out.

    The reference logs in wherever a state is named, also where `require_login` is false; where the state is null it
    does not, also where it is true.

    >>> login_sites("./.auth/gitlab.reddit_state.json"), login_sites("./.auth/map_state.json"), login_sites(None)
    (('gitlab', 'reddit'), (), ())
    """
    name = (storage_state or "").rpartition("/")[2].removesuffix("_state.json")
    return tuple(each for each in name.split(".") if each and each not in WITHOUT_LOGIN)
