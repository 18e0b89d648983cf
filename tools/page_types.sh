#!/bin/sh
# Put TypeScript's checker where the tests find it: the scripts of the report are plain JavaScript with types in their
# comments, and a test has them checked. npm gives the archive without running anything of it. Without npm or node: one
# sentence, and that test is skipped with the same reason. Silent when it is there already; always exits 0.
set -u

version=5.9.3
sha256=10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3
target=${1:-.venv/share/cutscore/typescript}

missing() {
  echo "TypeScript is missing: $1; the types of the report's scripts will not be checked" >&2
  exit 0
}

[ -f "$target/lib/tsc.js" ] && exit 0
command -v npm >/dev/null 2>&1 && command -v node >/dev/null 2>&1 || missing "install npm"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
(cd "$scratch" && npm pack --silent "typescript@$version" >/dev/null 2>&1) || missing "npm could not fetch it"
echo "$sha256  $scratch/typescript-$version.tgz" | sha256sum -c >/dev/null 2>&1 || missing "npm has another archive"
tar -xzf "$scratch/typescript-$version.tgz" -C "$scratch" 2>/dev/null || missing "the archive cannot be unpacked"
mkdir -p "$(dirname "$target")" && mv "$scratch/package" "$target" || missing "it cannot be written to $target"
