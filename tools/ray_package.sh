#!/bin/sh
# Put Ray where the tests of that engine find it: 80 MB to download, so it is no part of the development set, and it lies
# in a folder of its own, so that nothing of it gets into other tests. pip takes it by the hashes of requirements/ray.txt.
# Without a package index, or where Ray has no wheel: one sentence, and those tests are skipped with the same reason.
# Silent when it is there already. Always exits 0: a missing package skips tests, it fails none.
set -u

pins=${3:-requirements/ray.txt}
target=${1:-.venv/share/cutscore/ray}
python=${2:-.venv/bin/python}

missing() {
  echo "Ray is missing: $1; tests of that engine will be skipped" >&2
  exit 0
}

# A folder of other pins is made anew.
[ -f "$target/pins.txt" ] && cmp -s "$pins" "$target/pins.txt" && exit 0
command -v "$python" >/dev/null 2>&1 || missing "$python is not there"

rm -rf "$target"
mkdir -p "$(dirname "$target")" || missing "it cannot be written to $target"
"$python" -m pip --disable-pip-version-check --no-input install -qq --no-compile --no-deps --only-binary :all: \
  --require-hashes --target "$target" -r "$pins" >/dev/null 2>&1 || { rm -rf "$target"; missing "pip could not install it"; }
cp "$pins" "$target/pins.txt"
