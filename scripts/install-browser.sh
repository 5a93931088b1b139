#!/usr/bin/env bash
# Debian's Chromium and Firefox, in which the acceptance tests open the pages.
set -euo pipefail

packages=()
for package in chromium-headless-shell firefox-esr; do
  [ -x "/usr/bin/$package" ] || packages+=("$package")
done
[ "${#packages[@]}" = 0 ] && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "Missing in /usr/bin: ${packages[*]}. Install them, as root: apt-get update && apt-get install -y ${packages[*]}" >&2
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
