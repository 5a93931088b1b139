#!/usr/bin/env bash
# PostgreSQL for tests: Debian's, from its packages if the system has none.
#   postgres.sh install   idempotent; fast when done. POSTGRES_SYSTEM=no ignores the PostgreSQL of the system
#   postgres.sh start     foreground; POSTGRES_PORT (else a free one), POSTGRES_PASSWORD (else a random one) and
#                         POSTGRES_DATA (else a folder that is removed at the end) from the environment;
#                         prints `ready postgres://...` when it answers; commits reach the disk; ends with SIGTERM
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
home=${ENGINES_HOME:-$root/.engines}/postgres

# Sets `bin` to the folder of the newest PostgreSQL under `prefix`.
newest_under() {
  local prefix=$1 found
  found=$(ls -d "$prefix"/usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
  [ -n "$found" ] && [ -x "$found/postgres" ] && [ -x "$found/initdb" ] && bin=$found
}

use_libraries() {
  LD_LIBRARY_PATH=$(printf '%s:' "$1"/usr/lib/*-linux-gnu "$1"/lib/*-linux-gnu)${LD_LIBRARY_PATH:-}
  export LD_LIBRARY_PATH
}

find_server() {
  if [ "${POSTGRES_SYSTEM:-}" = no ] || ! newest_under ''; then
    newest_under "$home" || return 1
    use_libraries "$home"
  fi
  "$bin/postgres" --version >/dev/null && "$bin/pg_isready" --version >/dev/null
}

# The packages of the server, and the libraries that the system lacks, without LLVM (for compiled queries) and Perl.
list_packages() {
  local version
  version=$(apt-cache depends postgresql | sed -n 's/.*Depends: postgresql-\([0-9]*\)$/\1/p' | head -n 1)
  echo "postgresql-$version" "postgresql-client-$version" libpq5
  apt-get install --simulate --no-install-recommends "postgresql-$version" |
    sed -n 's/^Inst \(lib[^ ]*\).*/\1/p' | grep -Ev '^lib(llvm|c6|pq5|.*perl|.*-dev$)' || true
}

install() {
  if find_server; then return; fi
  command -v apt-get >/dev/null || { echo 'install PostgreSQL, version 13 or later' >&2; exit 1; }
  local folder packages
  folder=$(mktemp -d)
  chmod 755 "$folder"
  cd "$folder"
  apt-cache show postgresql >/dev/null 2>&1 || apt-get update >&2
  mapfile -t packages < <(list_packages | tr ' ' '\n')
  apt-get download "${packages[@]}" >&2 || { apt-get update >&2 && apt-get download "${packages[@]}" >&2; }
  rm -rf "$home" && mkdir -p "$home"
  for package in ./*.deb; do dpkg-deb --extract "$package" "$home"; done
  cd / && rm -rf "$folder"
  find_server || { echo "the packages of PostgreSQL do not run from $home" >&2; exit 1; }
}

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# PostgreSQL refuses to run as root.
choose_user() {
  as_user=(setpriv --pdeathsig INT)
  if [ "$(id -u)" != 0 ]; then return; fi
  owner=$(id -un postgres 2>/dev/null || echo nobody)
  as_user=(setpriv --pdeathsig INT --reuid "$owner" --regid "$(id -g "$owner")" --clear-groups)
  chown "$owner" "$run"
  mkdir -p "$data" && chown -R "$owner" "$data"
  # The user may not be allowed to enter the folder of the repository.
  if ! "${as_user[@]}" test -x "$bin/postgres"; then
    cp -a "$home" "$run/engine"
    bin=$run/engine/${bin#"$home"/}
    use_libraries "$run/engine"
  fi
}

stop() {
  trap - EXIT INT TERM
  # SIGINT ends the connections of clients; SIGTERM would wait for them.
  if [ -n "${server:-}" ]; then kill -INT "$server" 2>/dev/null && wait "$server" || true; fi
  rm -rf "$run"
  exit "${1:-0}"
}

start() {
  install
  local port password
  run=$(mktemp -d "${TMPDIR:-/tmp}/postgres-XXXXXX")
  chmod 755 "$run"
  data=${POSTGRES_DATA:-$run/data}
  trap 'stop $?' EXIT
  trap 'stop 0' INT TERM
  choose_user
  port=${POSTGRES_PORT:-$(free_port)}
  password=${POSTGRES_PASSWORD:-$(node -p 'require("crypto").randomBytes(18).toString("hex")')}
  cd "$run"
  if [ ! -s "$data/PG_VERSION" ]; then
    printf '%s\n' "$password" | "${as_user[@]}" bash -c 'umask 077; cat >password'
    "${as_user[@]}" "$bin/initdb" --pgdata="$data" --username=pith --pwfile=password \
      --auth=scram-sha-256 --no-sync --encoding=UTF8 --locale=C >/dev/null
    rm password
  fi
  "${as_user[@]}" "$bin/postgres" -D "$data" -p "$port" -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories= -c log_min_messages=fatal -c max_connections=200 >&2 &
  server=$!
  until "$bin/pg_isready" --quiet -h 127.0.0.1 -p "$port"; do
    kill -0 "$server" 2>/dev/null || { echo 'PostgreSQL did not start' >&2; exit 1; }
    sleep 0.05
  done
  printf 'ready postgres://pith:%s@127.0.0.1:%s/postgres\n' \
    "$(PASSWORD=$password node -p 'encodeURIComponent(process.env.PASSWORD)')" "$port"
  wait "$server"
}

case ${1:-} in
  install) install ;;
  start) start ;;
  *) echo "usage: $0 install|start" >&2; exit 2 ;;
esac
