#!/bin/sh
# Put django-oscar, django-machina and Trac where the pack software of videowebarena finds them: 200 MB on disk, so
# they are no part of the development set, and they lie in a folder of their own, so that nothing of them gets into other
# tests. pip takes them by the hashes of requirements/web.txt; django-haystack has no wheel and is built from its source.
# Without a package index: one sentence, and those tests are skipped with the same reason.
# Silent when all is there already. Always exits 0: a missing package skips tests, it fails none.
set -u

pins=${3:-requirements/web.txt}
target=${1:-.venv/share/cutscore/web}
python=${2:-.venv/bin/python}

missing() {
  echo "web software is missing: $1; tests of that pack's sites will be skipped" >&2
  exit 0
}

# A folder of other pins is made anew.
[ -f "$target/pins.txt" ] && cmp -s "$pins" "$target/pins.txt" && exit 0
command -v "$python" >/dev/null 2>&1 || missing "$python is not there"

rm -rf "$target"
mkdir -p "$(dirname "$target")" || missing "it cannot be written to $target"
"$python" -m pip --disable-pip-version-check --no-input install -qq --no-compile --no-deps --only-binary :all: --no-binary django-haystack \
  --require-hashes --target "$target" -r "$pins" >/dev/null 2>&1 || { rm -rf "$target"; missing "pip could not install it"; }
cp "$pins" "$target/pins.txt"
