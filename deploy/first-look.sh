#!/bin/sh
# Indexes a folder and serves it with Compose, with all engines or PostgreSQL alone: deploy/first-look.sh FOLDER [postgres]
# Secrets that .env lacks are made at random. What it has is kept, so volumes of an earlier look still open.
set -eu
case "$#:${2-}" in
  1:) file=docker-compose.yml; compose='docker compose' ;;
  2:postgres) file=deploy/compose.postgres.yml; compose="docker compose --project-directory . -f $file" ;;
  *) echo "usage: $0 FOLDER [postgres]" >&2; exit 2 ;;
esac
# With it, cd may go elsewhere, and prints where.
unset CDPATH
DOCUMENTS=$(cd -- "$1" && pwd)
export DOCUMENTS
cd "$(dirname "$0")/.."

umask 077
touch .env
chmod 600 .env
[ -z "$(tail -c 1 .env)" ] || echo >> .env
for name in $(grep -o '\${[A-Z0-9_]*:?' "$file" | tr -dc 'A-Z0-9_\n' | sort -u); do
  grep -q "^$name=" .env || printf '%s=%s\n' "$name" "$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')" >> .env
done

# Reports belong to this user.
HOST_UID=$(id -u)
HOST_GID=$(id -g)
export HOST_UID HOST_GID
mkdir -p reports
# 3: the index is published, and some files need fixing, which the report names.
$compose run --rm index || [ $? -eq 3 ]
$compose up -d --wait pith
echo 'Pith serves MCP at http://127.0.0.1:7484/mcp. Callers send PITH_HTTP_TOKEN of .env as their bearer token.'
