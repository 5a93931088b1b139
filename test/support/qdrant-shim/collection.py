"""One collection: a shard of the real engine, with what a server keeps beside it."""

import shutil
import threading
import time
import uuid

import qdrant_edge as edge
from qdrant_client.http import models

import to_engine
from failures import bad_request, invalid, wrong_input
from strict_mode import check_batch, check_filter, check_limit

# How long a change takes to settle (s): a server optimises meanwhile, and calls the collection yellow.
SETTLING = 1.0
# Points in one request of our own.
PAGE = 1_000


def _dense(params: models.VectorParams):
    distance = getattr(edge.Distance, params.distance.value)
    return edge.EdgeVectorParams(size=params.size, distance=distance)


def _sparse(params: models.SparseVectorParams):
    is_idf = params.modifier == models.Modifier.IDF
    return edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf if is_idf else None)


def _positive(limit, default):
    if limit is not None and limit < 1:
        raise invalid("limit: value 0 invalid, must be 1 or larger")
    return limit or default


class Collection:
    def __init__(self, folder: str, config: models.CreateCollection) -> None:
        if config.vectors is not None and not isinstance(config.vectors, dict):
            raise bad_request("this shim takes named vectors only")
        self.config = config
        self.indexes: dict[str, str] = {}
        self.folder = folder
        self.dense = config.vectors or {}
        self.sparse = config.sparse_vectors or {}
        # The engine's calls are short; one at a time keeps what a server would queue in order.
        self.lock = threading.Lock()
        self.shard = self._new_shard()
        # Points that were replaced or deleted, until the collection has settled.
        self.replaced = None
        self.settled_at = 0.0

    def _new_shard(self):
        return edge.EdgeShard.create(
            f"{self.folder}/{uuid.uuid4()}",
            edge.EdgeConfig(
                vectors={name: _dense(params) for name, params in self.dense.items()},
                sparse_vectors={name: _sparse(params) for name, params in self.sparse.items()},
                wal_enabled=False,
            ),
        )

    @property
    def strict(self):
        return self.config.strict_mode_config

    def close(self) -> None:
        with self.lock:
            self.shard.close()
            if self.replaced:
                self.replaced.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, call, *arguments):
        with self.lock:
            try:
                return call(*arguments)
            except (ValueError, TypeError, edge_errors()) as error:
                raise wrong_input(str(error)) from error

    def _update(self, operation):
        self._run(self.shard.update, operation)
        self.settled_at = time.monotonic() + SETTLING

    @property
    def is_settled(self) -> bool:
        return time.monotonic() >= self.settled_at

    def _keep_replaced(self, records) -> None:
        """A server's facet index lists the values of a deleted point until its segment is optimised."""
        if not records:
            return
        with self.lock:
            if self.is_settled and self.replaced:
                self.replaced.close()
                self.replaced = None
            if self.replaced is None:
                self.replaced = self._new_shard()
                for key, kind in self.indexes.items():
                    self.replaced.update(edge.UpdateOperation.create_field_index(key, to_engine.KINDS[kind]))
            points = [edge.Point(record.id, {}, record.payload or {}) for record in records]
            self.replaced.update(edge.UpdateOperation.upsert_points(points))

    def _keep_replaced_by(self, chosen) -> None:
        after = None
        while True:
            request = edge.ScrollRequest(offset=after, limit=PAGE, filter=chosen, with_payload=True, with_vector=False)
            found, after = self._run(self.shard.scroll, request)
            self._keep_replaced(found)
            if after is None:
                return

    def _filter(self, asked, is_update=False):
        check_filter(self.strict, self.indexes, asked, is_update)
        return to_engine.to_filter(asked)

    def create_index(self, asked: models.CreateFieldIndex) -> None:
        if asked.field_schema is None:
            raise bad_request("this shim does not guess the type of an index")
        kind = to_engine.index_kind(asked.field_schema)
        self._update(edge.UpdateOperation.create_field_index(asked.field_name, to_engine.KINDS[kind]))
        self.indexes[asked.field_name] = kind

    def _check_vectors(self, point) -> None:
        vectors = point.vector if isinstance(point.vector, dict) else {}
        for name, vector in vectors.items():
            known = self.sparse if isinstance(vector, models.SparseVector) else self.dense
            if name not in known:
                raise wrong_input(f"Not existing vector name error: {name}")
            if isinstance(vector, models.SparseVector):
                if len(set(vector.indices)) < len(vector.indices):
                    raise invalid("indices: must be unique")
                if len(vector.indices) != len(vector.values):
                    raise invalid("values: must be the same length as indices")
            elif len(vector) != self.dense[name].size:
                size = self.dense[name].size
                raise wrong_input(f"Vector dimension error: expected dim: {size}, got {len(vector)}")

    def upsert(self, asked) -> None:
        if not isinstance(asked, models.PointsList):
            raise bad_request("this shim takes lists of points only")
        check_batch(self.strict, "upsert_max_batchsize", len(asked.points))
        for point in asked.points:
            self._check_vectors(point)
        ids = [point.id for point in asked.points]
        self._keep_replaced(self._run(self.shard.retrieve, ids, True, False))
        self._update(edge.UpdateOperation.upsert_points([to_engine.to_point(one) for one in asked.points]))

    def delete(self, asked) -> None:
        if isinstance(asked, models.PointIdsList):
            self._keep_replaced(self._run(self.shard.retrieve, list(asked.points), True, False))
            self._update(edge.UpdateOperation.delete_points(list(asked.points)))
        else:
            chosen = self._filter(asked.filter, True)
            self._keep_replaced_by(chosen)
            self._update(edge.UpdateOperation.delete_points_by_filter(chosen))

    def set_payload(self, asked: models.SetPayload) -> None:
        if asked.points is not None:
            operation = edge.UpdateOperation.set_payload(list(asked.points), asked.payload, asked.key)
        else:
            chosen = self._filter(asked.filter, True)
            operation = edge.UpdateOperation.set_payload_by_filter(chosen, asked.payload, asked.key)
        self._update(operation)

    def retrieve(self, asked: models.PointRequest):
        choice = to_engine.to_payload_choice(asked.with_payload, True)
        found = self._run(self.shard.retrieve, list(asked.ids), choice, asked.with_vector or False)
        return [to_engine.from_record(record) for record in found]

    def scroll(self, asked: models.ScrollRequest):
        limit = _positive(asked.limit, 10)
        check_limit(self.strict, limit)
        if asked.order_by is not None:
            raise bad_request("this shim does not know order_by")
        request = edge.ScrollRequest(
            offset=asked.offset,
            limit=limit,
            filter=self._filter(asked.filter),
            with_payload=to_engine.to_payload_choice(asked.with_payload, True),
            with_vector=asked.with_vector or False,
        )
        found, after = self._run(self.shard.scroll, request)
        points = [to_engine.from_record(record) for record in found]
        return {"points": points, "next_page_offset": None if after is None else to_engine.plain_id(after)}

    def _check_query(self, asked) -> None:
        _positive(asked.limit, 10)
        check_limit(self.strict, asked.limit or 10)
        check_filter(self.strict, self.indexes, asked.filter)
        if asked.using is not None and asked.using not in self.dense and asked.using not in self.sparse:
            raise wrong_input(f"Not existing vector name error: {asked.using}")
        below = asked.prefetch if isinstance(asked.prefetch, list) else [asked.prefetch]
        for prefetch in below:
            if prefetch is not None:
                self._check_query(prefetch)

    def query(self, asked: models.QueryRequest):
        self._check_query(asked)
        found = self._run(self.shard.query, to_engine.to_query(asked))
        return {"points": [to_engine.from_scored(point) for point in found]}

    def query_batch(self, asked: models.QueryRequestBatch):
        check_batch(self.strict, "search_max_batchsize", len(asked.searches))
        return [self.query(one) for one in asked.searches]

    def count(self, asked: models.CountRequest):
        request = edge.CountRequest(exact=asked.exact is not False, filter=self._filter(asked.filter))
        return {"count": self._run(self.shard.count, request)}

    def facet(self, asked: models.FacetRequest):
        limit = _positive(asked.limit, 10)
        check_limit(self.strict, limit)
        if asked.key not in self.indexes:
            kinds = "[keyword, integer, bool, uuid]"
            raise bad_request(
                f'Index required but not found for "{asked.key}" of one of the following types: {kinds}. '
                "Help: Create an index for this key or use a different filter."
            )
        request = edge.FacetRequest(
            key=asked.key, limit=limit, exact=asked.exact or False, filter=self._filter(asked.filter)
        )
        hits = [(hit.value, hit.count) for hit in self._run(self.shard.facet, request).hits]
        # Only exact counts list what is gone: they take the values first, deleted ones too, and count each by itself.
        if asked.exact and not self.is_settled and self.replaced:
            known = {value for value, _ in hits}
            gone = [hit.value for hit in self._run(self.replaced.facet, request).hits]
            hits += [(value, 0) for value in gone if value not in known]
        return {"hits": [{"value": value, "count": count} for value, count in hits[:limit]]}

    def groups(self, asked: models.QueryGroupsRequest):
        """The engine in process has no groups: they are made of one long answer, as the server makes them of several."""
        plain = asked.model_dump(exclude={"group_by", "group_size", "limit", "with_lookup"})
        found = self.query(models.QueryRequest(**{**plain, "limit": 1000, "with_payload": True}))["points"]
        size, most = asked.group_size or 3, asked.limit or 10
        groups: dict = {}
        for point in found:
            key = point["payload"].get(asked.group_by)
            if key is None or (key not in groups and len(groups) >= most):
                continue
            hits = groups.setdefault(key, [])
            if len(hits) < size:
                hits.append(point)
        return {"groups": [{"id": key, "hits": hits} for key, hits in groups.items()]}

    def describe(self):
        told = self._run(self.shard.info)
        schema = {key: {"data_type": kind, "points": told.points_count} for key, kind in self.indexes.items()}
        params = self.config.model_dump(mode="json", exclude_none=True, include={"vectors", "sparse_vectors"})
        strict = self.strict.model_dump(mode="json", exclude_none=True) if self.strict else None
        return {
            "status": "green" if self.is_settled else "yellow",
            "optimizer_status": "ok",
            "points_count": told.points_count,
            "indexed_vectors_count": told.indexed_vectors_count,
            "segments_count": told.segments_count,
            "config": {
                "params": {**params, "shard_number": 1, "replication_factor": 1, "on_disk_payload": True},
                "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10000},
                "optimizer_config": {"deleted_threshold": 0.2, "vacuum_min_vector_number": 1000,
                                     "default_segment_number": 0, "flush_interval_sec": 5},
                "strict_mode_config": strict,
            },
            "payload_schema": schema,
        }


def edge_errors():
    """What the engine raises beside Python's own."""
    return RuntimeError
