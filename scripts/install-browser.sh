#!/usr/bin/env bash
# Debian's Chromium, in which the acceptance tests open the admin console.
set -euo pipefail

[ -x /usr/bin/chromium-headless-shell ] && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo 'Chromium is missing at /usr/bin/chromium-headless-shell. Install it, as root: apt-get update && apt-get install -y chromium-headless-shell' >&2
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null
