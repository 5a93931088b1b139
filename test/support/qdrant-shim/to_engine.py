"""Turns requests, as Qdrant's published types read them, into those of the engine, and its answers into JSON."""

from enum import Enum

import qdrant_edge as edge
from qdrant_client.http import models

from failures import bad_request


def _all(convert, values):
    if values is None:
        return None
    return [convert(value) for value in (values if isinstance(values, list) else [values])]


def _match(match):
    if match is None:
        return None
    if isinstance(match, models.MatchValue):
        return edge.MatchValue(match.value)
    if isinstance(match, models.MatchAny):
        return edge.MatchAny(list(match.any))
    if isinstance(match, models.MatchExcept):
        return edge.MatchExcept(list(match.except_))
    if isinstance(match, models.MatchText):
        return edge.MatchText(match.text)
    if isinstance(match, models.MatchPhrase):
        return edge.MatchPhrase(match.phrase)
    raise bad_request(f"this shim does not know {type(match).__name__}")


def _range(bounds):
    if bounds is None:
        return None
    names = ("gte", "gt", "lte", "lt")
    given = {name: getattr(bounds, name) for name in names if getattr(bounds, name) is not None}
    if isinstance(bounds, models.DatetimeRange):
        return edge.RangeDateTime(**{name: value.isoformat() for name, value in given.items()})
    return edge.RangeFloat(**given)


def _condition(condition):
    if isinstance(condition, models.Filter):
        return to_filter(condition)
    if isinstance(condition, models.HasIdCondition):
        return edge.HasIdCondition(set(condition.has_id))
    if isinstance(condition, models.IsEmptyCondition):
        return edge.IsEmptyCondition(condition.is_empty.key)
    if isinstance(condition, models.IsNullCondition):
        return edge.IsNullCondition(condition.is_null.key)
    if isinstance(condition, models.HasVectorCondition):
        return edge.HasVectorCondition(condition.has_vector)
    if isinstance(condition, models.FieldCondition):
        return edge.FieldCondition(
            condition.key, match=_match(condition.match), range=_range(condition.range)
        )
    raise bad_request(f"this shim does not know {type(condition).__name__}")


def to_filter(asked):
    if asked is None:
        return None
    least = asked.min_should
    return edge.Filter(
        must=_all(_condition, asked.must),
        should=_all(_condition, asked.should),
        must_not=_all(_condition, asked.must_not),
        min_should=least
        and edge.MinShould([_condition(one) for one in least.conditions], least.min_count),
    )


def _vector(value):
    if isinstance(value, models.SparseVector):
        return edge.SparseVector(list(value.indices), list(value.values))
    return value


def to_point(point):
    vectors = point.vector
    if not isinstance(vectors, dict):
        raise bad_request("this shim takes named vectors only")
    named = {name: _vector(value) for name, value in vectors.items()}
    return edge.Point(point.id, named, point.payload or {})


def _query(query, using):
    if query is None:
        return None
    if isinstance(query, models.NearestQuery):
        query = query.nearest
    if isinstance(query, (list, models.SparseVector)):
        return edge.Query.Nearest(_vector(query), using=using)
    if isinstance(query, models.FusionQuery):
        is_rrf = query.fusion == models.Fusion.RRF
        return edge.Fusion.Rrf(k=2) if is_rrf else edge.Fusion.Dbsf()
    if isinstance(query, models.RrfQuery):
        return edge.Fusion.Rrf(k=query.rrf.k or 2, weights=query.rrf.weights)
    raise bad_request(f"this shim does not know the query {type(query).__name__}")


def _prefetch(asked):
    return edge.Prefetch(
        limit=asked.limit or 10,
        query=_query(asked.query, asked.using),
        prefetches=_all(_prefetch, asked.prefetch),
        filter=to_filter(asked.filter),
        score_threshold=asked.score_threshold,
    )


def to_payload_choice(choice, default):
    if choice is None:
        return default
    if isinstance(choice, models.PayloadSelectorInclude):
        return edge.PayloadSelector.Include(choice.include)
    if isinstance(choice, models.PayloadSelectorExclude):
        return edge.PayloadSelector.Exclude(choice.exclude)
    return choice


def to_query(asked):
    return edge.QueryRequest(
        limit=asked.limit or 10,
        offset=asked.offset or 0,
        query=_query(asked.query, asked.using),
        prefetches=_all(_prefetch, asked.prefetch) or [],
        with_vector=asked.with_vector or False,
        with_payload=to_payload_choice(asked.with_payload, False),
        filter=to_filter(asked.filter),
        score_threshold=asked.score_threshold,
    )


KINDS = {
    "keyword": edge.PayloadSchemaType.Keyword,
    "integer": edge.PayloadSchemaType.Integer,
    "float": edge.PayloadSchemaType.Float,
    "bool": edge.PayloadSchemaType.Bool,
    "datetime": edge.PayloadSchemaType.Datetime,
    "uuid": edge.PayloadSchemaType.Uuid,
    "text": edge.PayloadSchemaType.Text,
}


def index_kind(schema) -> str:
    kind = schema if isinstance(schema, Enum) else schema.type
    if kind.value not in KINDS:
        raise bad_request(f"this shim does not know the index {kind.value}")
    return kind.value


def _plain(vector):
    if isinstance(vector, dict):
        return {name: _plain(value) for name, value in vector.items()}
    if isinstance(vector, edge.SparseVector):
        return {"indices": list(vector.indices), "values": list(vector.values)}
    return vector


def plain_id(point_id):
    return point_id if isinstance(point_id, int) else str(point_id)


def from_record(record):
    told = {"id": plain_id(record.id), "payload": record.payload}
    if record.vector is not None:
        told["vector"] = _plain(record.vector)
    return {name: value for name, value in told.items() if value is not None}


def from_scored(point):
    return {**from_record(point), "version": point.version, "score": point.score}
