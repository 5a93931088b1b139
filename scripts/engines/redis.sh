#!/usr/bin/env bash
# Redis for tests: Debian's redis-server, from its packages if the system has none.
#   redis.sh install   idempotent; fast when done
#   redis.sh start     foreground; REDIS_PORT (else a free one) and REDIS_PASSWORD (else a random one) from the environment;
#                      prints `ready redis://...` when it answers; writes nothing to disk; ends with SIGTERM
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
home=${ENGINES_HOME:-$root/.engines}/redis
packages=(redis-tools redis-server libjemalloc2 liblzf1 libatomic1)

find_server() {
  server=$(command -v redis-server || true)
  if [ -z "$server" ] && [ -x "$home/usr/bin/redis-server" ]; then
    server="$home/usr/bin/redis-server"
    export LD_LIBRARY_PATH="$home/usr/lib:$(echo "$home"/usr/lib/*-linux-gnu)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  fi
  [ -n "$server" ] && "$server" --version >/dev/null
}

install() {
  if find_server; then return; fi
  command -v apt-get >/dev/null || { echo 'install redis-server, version 7 or later' >&2; exit 1; }
  local folder
  folder=$(mktemp -d)
  chmod 755 "$folder"
  cd "$folder"
  apt-get download "${packages[@]}" >&2 || { apt-get update >&2 && apt-get download "${packages[@]}" >&2; }
  rm -rf "$home" && mkdir -p "$home"
  for package in ./*.deb; do dpkg-deb --extract "$package" "$home"; done
  cd / && rm -rf "$folder"
  find_server || { echo "the packages of redis-server do not run from $home" >&2; exit 1; }
}

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# Asks until the server answers or ends. The password is not on the command line, where other users could see it.
report_ready() {
  local cli port=$1
  cli="$(dirname "$server")/redis-cli"
  until [ "$(REDISCLI_AUTH=$password "$cli" -h 127.0.0.1 -p "$port" ping 2>/dev/null)" = PONG ]; do
    kill -0 "$PPID_OF_REPORT" 2>/dev/null || exit 1
    sleep 0.05
  done
  printf 'ready redis://:%s@127.0.0.1:%s\n' "$(node -p 'encodeURIComponent(process.env.REDIS_PASSWORD)')" "$port"
}

start() {
  install
  find_server
  local port=${REDIS_PORT:-$(free_port)}
  password=${REDIS_PASSWORD:-$(node -p 'require("crypto").randomBytes(18).toString("hex")')}
  case $password in *[[:space:]\"\\]*) echo 'REDIS_PASSWORD: no spaces, quotes or backslashes' >&2; exit 1 ;; esac
  export REDIS_PASSWORD=$password
  PPID_OF_REPORT=$$
  report_ready "$port" &
  # Full memory gives an error. Evictions would remove passages unnoticed.
  exec "$server" - >&2 <<END
bind 127.0.0.1
port $port
requirepass $password
save ""
appendonly no
dir /tmp
daemonize no
loglevel warning
maxmemory ${REDIS_MAXMEMORY:-512mb}
maxmemory-policy noeviction
END
}

case ${1:-} in
  install) install ;;
  start) start ;;
  *) echo "usage: $0 install|start" >&2; exit 2 ;;
esac
