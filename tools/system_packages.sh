#!/bin/sh
# Install what pip cannot give: Chromium, for the tests that look at the report in a browser.
# Root and apt-get: installed. Otherwise: one sentence, and those tests are skipped with the same reason.
# Never sudo. Silent when nothing is missing. Always exits 0: a missing browser skips tests, it fails none.
set -u

for browser in chromium chromium-browser google-chrome google-chrome-stable; do
  command -v "$browser" >/dev/null 2>&1 && exit 0
done
[ -n "${CUTSCORE_CHROMIUM:-}" ] && [ -x "$CUTSCORE_CHROMIUM" ] && exit 0

missing() {
  echo "Chromium is missing: $1; browser tests will be skipped" >&2
  exit 0
}

command -v apt-get >/dev/null 2>&1 || missing "install it with your system's package manager"
[ "$(id -u)" -eq 0 ] || missing "install it as root with 'apt-get install chromium'"

echo "installing Chromium from the system's packages" >&2
said=$(mktemp)
trap 'rm -f "$said"' EXIT
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >"$said" 2>&1; then
  tail -n 5 "$said" >&2
  missing "apt-get could not install it"
fi
