#!/usr/bin/env bash
# A real Neo4j Community for tests, from Maven Central, on Java 17: `neo4j.sh install`, then `neo4j.sh start [PORT]`.
# `start` stays in the foreground, prints `ready bolt://127.0.0.1:PORT` when it answers, and ends with SIGTERM. The
# password of the user `neo4j` is in NEO4J_PASSWORD. The data folder is temporary, unless NEO4J_DATA names one.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=${ENGINES_HOME:-$here/../../.engines}/neo4j

need() { # command, Debian package
  command -v "$1" >/dev/null && return
  echo "neo4j.sh: installing $2" >&2
  local install=(apt-get install -y -qq --no-install-recommends "$2")
  "${install[@]}" >&2 || { apt-get update -qq >&2 && "${install[@]}" >&2; }
}

install() {
  local wanted
  wanted=$(cat "$here/neo4j.pom.xml" "$here/Neo4jServer.java" | sha256sum)
  [ "$(cat "$home/installed" 2>/dev/null)" = "$wanted" ] && return
  need javac openjdk-17-jdk-headless
  need mvn maven
  rm -rf "$home/installed" "$home/lib" "$home/classes"
  mkdir -p "$home"
  mvn -q -B -ntp -f "$here/neo4j.pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies \
    -DoutputDirectory="$home/lib" -DincludeScope=runtime >&2
  javac -cp "$home/lib/*" -d "$home/classes" "$here/Neo4jServer.java" >&2
  echo "$wanted" >"$home/installed"
}

start() {
  local data=${NEO4J_DATA:-$home/data-$$} old
  [ -f "$home/installed" ] || { echo 'neo4j.sh: run `neo4j.sh install` first' >&2; exit 1; }
  # `exec` keeps the process id, so folders without a process of that id are left over.
  for old in "$home"/data-*; do
    [ -d "$old" ] && ! kill -0 "${old##*-}" 2>/dev/null && rm -rf "$old"
  done
  mkdir -p "$data"
  # Tests are too short for the JVM's second compiler.
  exec java -Xms512m -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dio.netty.tryReflectionSetAccessible=true \
    --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED \
    --add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.util.concurrent=ALL-UNNAMED \
    -cp "$home/classes:$home/lib/*" Neo4jServer "$data" "${1:-0}"
}

case ${1:-} in
  install) install ;;
  start) start "${2:-0}" ;;
  *) echo 'usage: neo4j.sh install | start [PORT]' >&2; exit 2 ;;
esac
