"""Qdrant's HTTP interface, as much of it as Pith uses, over the engine in process. Not Qdrant: see README.md."""

import argparse
import gzip
import json
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from pydantic import TypeAdapter, ValidationError
from qdrant_client.http import models

from collection import Collection
from failures import Failure, bad_request, not_found, wrong_input

VERSION = "1.18.3"
# A compressed reply below one packet stalls for as long as the other side waits with its acknowledgement (s).
STALL, PACKET = 0.04, 1_400
DONE = {"operation_id": 0, "status": "completed"}
NAME = re.compile(r"^[^<>:\"/\\|?*\x00-\x1f]{1,255}$")


class Killed(Exception):
    """The process ended here; what was on the disk is what the next one begins with."""


class Server:
    """Collections and what they are called."""

    def __init__(self, folder: str, cuts_aliases: bool) -> None:
        self.folder = folder
        self.cuts_aliases = cuts_aliases
        self.collections: dict[str, Collection] = {}
        self.aliases: dict[str, str] = {}
        self.lock = threading.Lock()

    def named(self, name: str) -> Collection:
        with self.lock:
            found = self.collections.get(self.aliases.get(name, name))
        if found is None:
            raise not_found(f"Collection `{name}` doesn't exist!")
        return found

    def create(self, name: str, asked: models.CreateCollection) -> bool:
        if not NAME.match(name):
            raise Failure(422, "Validation error in path: [name: invalid collection name]")
        with self.lock:
            if name in self.collections or name in self.aliases:
                raise wrong_input(f"Collection `{name}` already exists!", 409)
            self.collections[name] = Collection(f"{self.folder}/{len(self.collections)}-{time.time_ns()}", asked)
        return True

    def delete(self, name: str) -> bool:
        with self.lock:
            found = self.collections.pop(name, None)
            self.aliases = {alias: to for alias, to in self.aliases.items() if to != name}
        if found:
            found.close()
        return found is not None

    def change_aliases(self, asked: models.ChangeAliasesOperation) -> bool:
        """Readers see all of the actions at once, but the disk is written one action after the other."""
        with self.lock:
            changed = dict(self.aliases)
            for action in asked.actions:
                self._change(changed, action)
                if self.cuts_aliases and changed != self.aliases:
                    self.aliases = changed
                    raise Killed()
            self.aliases = changed
        return True

    def _change(self, aliases: dict[str, str], action) -> None:
        if isinstance(action, models.CreateAliasOperation):
            made = action.create_alias
            if made.collection_name not in self.collections:
                raise not_found(f"Collection `{made.collection_name}` doesn't exist!")
            if made.alias_name in self.collections:
                raise wrong_input(f"Collection `{made.alias_name}` already exists!", 409)
            aliases[made.alias_name] = made.collection_name
        elif isinstance(action, models.DeleteAliasOperation):
            # One that is not there is deleted without an error.
            aliases.pop(action.delete_alias.alias_name, None)
        else:
            raise bad_request("this shim does not rename aliases")

    def list_aliases(self, name=None):
        with self.lock:
            pairs = [(alias, to) for alias, to in self.aliases.items() if name in (None, to)]
        return {"aliases": [{"alias_name": alias, "collection_name": to} for alias, to in pairs]}

    def list_collections(self):
        with self.lock:
            return {"collections": [{"name": name} for name in self.collections]}


def point_routes():
    """Method and path below a collection: the type of the body, and what to do with it."""
    update = lambda call: lambda collection, body: (call(collection, body), DONE)[1]
    return {
        ("PUT", "/index"): (models.CreateFieldIndex, update(Collection.create_index)),
        ("PUT", "/points"): (models.PointInsertOperations, update(Collection.upsert)),
        ("POST", "/points/delete"): (models.PointsSelector, update(Collection.delete)),
        ("POST", "/points/payload"): (models.SetPayload, update(Collection.set_payload)),
        ("POST", "/points"): (models.PointRequest, Collection.retrieve),
        ("POST", "/points/scroll"): (models.ScrollRequest, Collection.scroll),
        ("POST", "/points/query"): (models.QueryRequest, Collection.query),
        ("POST", "/points/query/batch"): (models.QueryRequestBatch, Collection.query_batch),
        ("POST", "/points/query/groups"): (models.QueryGroupsRequest, Collection.groups),
        ("POST", "/points/count"): (models.CountRequest, Collection.count),
        ("POST", "/facet"): (models.FacetRequest, Collection.facet),
    }


POINT_ROUTES = {route: (TypeAdapter(kind), call) for route, (kind, call) in point_routes().items()}
CREATE = TypeAdapter(models.CreateCollection)
ALIASES = TypeAdapter(models.ChangeAliasesOperation)
BELOW = re.compile(r"^/collections/([^/]+)(/.*)?$")


def parse(kind: TypeAdapter, body: bytes):
    """Strict: nothing is coerced, and no field is unknown."""
    try:
        return kind.validate_json(body or b"{}", strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Failure(400, f"Format error in JSON body: {where}: {first['msg']}") from error


READS = re.compile(r"^/collections/[^/]+/(points|points/(scroll|query|query/batch|query/groups|count)|facet)$")


def is_read(method: str, path: str) -> bool:
    return method == "GET" or (method == "POST" and READS.match(path) is not None)


def answer(server: Server, method: str, path: str, body: bytes):
    """The result of one request. @raises Failure"""
    if (method, path) == ("GET", "/collections"):
        return server.list_collections()
    if (method, path) == ("GET", "/aliases"):
        return server.list_aliases()
    if (method, path) == ("POST", "/collections/aliases"):
        return server.change_aliases(parse(ALIASES, body))
    found = BELOW.match(path)
    if not found:
        raise Failure(404, "")
    name, below = unquote(found[1]), found[2] or ""
    if (method, below) == ("PUT", ""):
        return server.create(name, parse(CREATE, body))
    if (method, below) == ("DELETE", ""):
        return server.delete(name)
    if (method, below) == ("GET", ""):
        return server.named(name).describe()
    if (method, below) == ("GET", "/exists"):
        return {"exists": name in server.collections or name in server.aliases}
    if (method, below) == ("GET", "/aliases"):
        return server.list_aliases(name)
    if (method, below) not in POINT_ROUTES:
        raise Failure(404, "")
    kind, call = POINT_ROUTES[(method, below)]
    return call(server.named(name), parse(kind, body))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server_version = "qdrant-shim"

    def send(self, status: int, body: bytes, kind: str = "application/json") -> None:
        is_packed = "gzip" in (self.headers.get("accept-encoding") or "")
        body = gzip.compress(body) if is_packed else body
        self.send_response(status)
        self.send_header("content-type", kind)
        if is_packed:
            self.send_header("content-encoding", "gzip")
        self.send_header("content-length", str(len(body)))
        if is_packed and len(body) < PACKET:
            time.sleep(STALL)
        self._headers_buffer.append(b"\r\n" + body)
        self.flush_headers()

    def has_key(self, key: str | None) -> bool:
        given = (self.headers.get("api-key"), self.headers.get("authorization"))
        return key is not None and (given[0] == key or given[1] == f"Bearer {key}")

    def is_let_in(self) -> bool:
        return self.server.api_key is None or self.has_key(self.server.api_key)

    def handle_one(self) -> None:
        began = time.perf_counter()
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = urlsplit(self.path).path
        if path in ("/readyz", "/healthz", "/livez"):
            return self.send(200, b"all shards are ready", "text/plain")
        is_reader = self.has_key(self.server.read_only_key)
        if is_reader and not is_read(self.command, path):
            told = {"status": {"error": "Forbidden: Global manage access is required"}, "time": 0}
            return self.send(403, json.dumps(told).encode())
        if not is_reader and not self.is_let_in():
            return self.send(401, b"Must provide an API key or an Authorization bearer token", "text/plain")
        if path == "/":
            about = {"title": "qdrant-shim: not Qdrant, but its engine in process", "version": VERSION}
            return self.send(200, json.dumps(about).encode())
        try:
            status, told = 200, {"result": answer(self.server.state, self.command, path, body), "status": "ok"}
        except Killed:
            self.close_connection = True
            return self.connection.shutdown(socket.SHUT_RDWR)
        except Failure as failure:
            status, told = failure.status, {"status": {"error": failure.message}}
        except Exception as error:  # noqa: BLE001 - a server answers whatever happens
            print(f"qdrant-shim: {error!r}", file=sys.stderr)
            status, told = 500, {"status": {"error": "Service internal error"}}
        if status == 404 and told["status"] == {"error": ""}:
            return self.send(404, b"", "text/plain")
        self.send(status, json.dumps({**told, "time": time.perf_counter() - began}).encode())

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = handle_one

    def log_message(self, *_arguments) -> None:
        """Says nothing of requests."""


class Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--api-key", default=None)
    parser.add_argument("--read-only-key", default=None)
    parser.add_argument("--cut-aliases", action="store_true", help="die after the first action of each change of aliases")
    asked = parser.parse_args()
    # Nothing outlives the process: in memory, where there is such a place, an index takes 5 ms instead of 200.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="qdrant-shim-", dir=memory)
    listener = Listener((asked.host, asked.port), Handler)
    listener.state = Server(folder, asked.cut_aliases)
    listener.api_key, listener.read_only_key = asked.api_key, asked.read_only_key
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=listener.shutdown).start())
    signal.signal(signal.SIGINT, lambda *_: threading.Thread(target=listener.shutdown).start())
    print(f"ready http://{asked.host}:{listener.server_address[1]}", flush=True)
    try:
        listener.serve_forever(poll_interval=0.1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
