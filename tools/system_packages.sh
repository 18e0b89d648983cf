#!/bin/sh
# Install what pip cannot give, by the names of its packages: system_packages.sh WITHOUT PACKAGE…
# Chromium is for web tasks and, as Firefox, for tests that look at the report in a browser, espeak-ng for speech whose words and
# times are known, bubblewrap shuts the box of agents, ffmpeg is what they work with. WITHOUT says what one does without them.
# Root and apt-get: installed. Otherwise: one sentence.
# Never sudo. Silent when nothing is missing. Always exits 0: what is missing stops or skips a part, it fails none.
set -u

without=$1
shift

has() {
  for program; do
    command -v "$program" >/dev/null 2>&1 && return 0
  done
  return 1
}

is_there() {
  case $1 in
    chromium)
      { [ -n "${CUTSCORE_CHROMIUM:-}" ] && [ -x "$CUTSCORE_CHROMIUM" ]; } ||
        has chromium chromium-browser google-chrome google-chrome-stable
      ;;
    bubblewrap) has bwrap ;;
    firefox-esr) has firefox-esr firefox ;;
    *) has "$1" ;;
  esac
}

packages=""
for package; do
  is_there "$package" || packages="${packages:+$packages }$package"
done
[ -n "$packages" ] || exit 0

missing() {
  echo "missing: $packages; $1; $without" >&2
  exit 0
}

has apt-get || missing "install it with your system's package manager"
[ "$(id -u)" -eq 0 ] || missing "install it as root with 'apt-get install $packages'"

echo "installing $packages from the system's packages" >&2
said=$(mktemp)
trap 'rm -f "$said"' EXIT
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # one word for each package
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends $packages; } >"$said" 2>&1; then
  tail -n 5 "$said" >&2
  missing "apt-get could not install it"
fi
