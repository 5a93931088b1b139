#!/bin/sh
# Indexes a folder and serves it with Compose, with all engines: deploy/first-look.sh FOLDER
# Secrets that .env lacks are made at random. What it has is kept, so volumes of an earlier look still open.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
# With it, cd may go elsewhere, and prints where.
unset CDPATH
DOCUMENTS=$(cd -- "$1" && pwd)
export DOCUMENTS
cd "$(dirname "$0")/.."

umask 077
touch .env
chmod 600 .env
[ -z "$(tail -c 1 .env)" ] || echo >> .env
for name in PITH_SECRET PITH_SCRATCH_KEY PITH_HTTP_TOKEN QDRANT_API_KEY NEO4J_PASSWORD POSTGRES_PASSWORD REDIS_PASSWORD; do
  grep -q "^$name=" .env || printf '%s=%s\n' "$name" "$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')" >> .env
done

# Reports belong to this user.
HOST_UID=$(id -u)
HOST_GID=$(id -g)
export HOST_UID HOST_GID
mkdir -p reports
docker compose run --rm index
docker compose up -d --wait pith
echo 'Pith serves MCP at http://127.0.0.1:7484/mcp. Callers send PITH_HTTP_TOKEN of .env as their bearer token.'
