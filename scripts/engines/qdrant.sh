#!/bin/sh
# A replacement for Qdrant in tests. test/support/qdrant-shim/README.md describes the parts that are real.
#   install   puts the pinned packages into .engines/qdrant, if they are missing
#   start     serves until SIGTERM and prints `ready URL`; reads PORT, QDRANT_SHIM_API_KEY, QDRANT_SHIM_READ_ONLY_KEY and
#             QDRANT_SHIM_CUT_ALIASES
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
shim="$root/test/support/qdrant-shim"
packages="${ENGINES_HOME:-$root/.engines}/qdrant"

install() {
  if cmp -s "$shim/requirements.txt" "$packages/installed.txt"; then return; fi
  rm -rf "$packages"
  mkdir -p "$packages"
  python3 -m pip install --quiet --disable-pip-version-check --no-input --no-warn-conflicts --root-user-action ignore \
    --target "$packages" --requirement "$shim/requirements.txt" >&2
  cp "$shim/requirements.txt" "$packages/installed.txt"
}

start() {
  PYTHONPATH="$packages" \
    exec python3 "$shim/server.py" --port "${PORT:-0}" ${QDRANT_SHIM_API_KEY:+--api-key "$QDRANT_SHIM_API_KEY"} \
    ${QDRANT_SHIM_READ_ONLY_KEY:+--read-only-key "$QDRANT_SHIM_READ_ONLY_KEY"} \
    ${QDRANT_SHIM_CUT_ALIASES:+--cut-aliases}
}

case "${1:-}" in
  install) install ;;
  start) install; start ;;
  *) echo "usage: $0 install|start" >&2; exit 2 ;;
esac
