#!/bin/sh
# Install what pip cannot give: Chromium and Firefox, for the tests that look at the report in a browser, espeak-ng, for
# speech whose words and times are known, and for agents bubblewrap, which shuts their box, and ffmpeg, which they work with.
# Root and apt-get: installed. Otherwise: one sentence, and those tests are skipped with the same reason.
# Never sudo. Silent when nothing is missing. Always exits 0: what is missing skips tests, it fails none.
set -u

has() {
  for program; do
    command -v "$program" >/dev/null 2>&1 && return 0
  done
  return 1
}

packages=""
{ [ -n "${CUTSCORE_CHROMIUM:-}" ] && [ -x "$CUTSCORE_CHROMIUM" ]; } ||
  has chromium chromium-browser google-chrome google-chrome-stable || packages="chromium"
has espeak-ng || packages="${packages:+$packages }espeak-ng"
has bwrap || packages="${packages:+$packages }bubblewrap"
has ffmpeg || packages="${packages:+$packages }ffmpeg"
has firefox-esr firefox || packages="${packages:+$packages }firefox-esr"
[ -n "$packages" ] || exit 0

missing() {
  echo "missing: $packages; $1; tests that need it will be skipped" >&2
  exit 0
}

has apt-get || missing "install it with your system's package manager"
[ "$(id -u)" -eq 0 ] || missing "install it as root with 'apt-get install $packages'"

echo "installing $packages from the system's packages" >&2
said=$(mktemp)
trap 'rm -f "$said"' EXIT
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >"$said" 2>&1
# Not every distribution has a Firefox among its packages; the others are wanted all the same.
apt-cache show firefox-esr >/dev/null 2>&1 || packages=${packages%firefox-esr}
# shellcheck disable=SC2086  # one word for each package
if ! apt-get install -y -qq --no-install-recommends $packages >>"$said" 2>&1; then
  tail -n 5 "$said" >&2
  missing "apt-get could not install it"
fi
