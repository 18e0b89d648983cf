#!/bin/sh
# Put torch, transformers and diffusers where the tests of hub models find them: 830 MB on disk, so they are no part of the
# development set, and they lie in a folder of their own, so that nothing of them gets into other tests. pip takes them by
# the hashes of requirements/hub.txt; torch by its version alone, since its builds for CPU and GPU differ in their hash.
# Without a package index, or where torch does not start: one sentence, and those tests are skipped with the same reason.
# Silent when all is there already. Always exits 0: a missing package skips tests, it fails none.
set -u

torch=2.13.0
pins=${3:-requirements/hub.txt}
target=${1:-.venv/share/cutscore/hub}
python=${2:-.venv/bin/python}

missing() {
  rm -rf "$target"
  echo "torch is missing: $1; tests of hub models will be skipped" >&2
  exit 0
}

install() {
  "$python" -m pip --disable-pip-version-check --no-input install -qq --no-compile --no-deps --only-binary :all: \
    --target "$target" "$@" >/dev/null 2>&1 || missing "pip could not install it"
}

# A folder of other pins is made anew.
wanted="torch==$torch $(cksum <"$pins")"
[ "$(cat "$target/pins.txt" 2>/dev/null)" = "$wanted" ] && exit 0
command -v "$python" >/dev/null 2>&1 || missing "$python is not there"

rm -rf "$target"
mkdir -p "$(dirname "$target")" || missing "it cannot be written to $target"
install --require-hashes -r "$pins"
install --upgrade "torch==$torch"
PYTHONPATH="$target" "$python" -c "import torch" >/dev/null 2>&1 || missing "this build of torch $torch does not start here"
echo "$wanted" >"$target/pins.txt"
