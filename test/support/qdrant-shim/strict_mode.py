"""What strict mode refuses, as far as it is emulated here: see README.md."""

from qdrant_client.http import models

from failures import bad_request

HELP = 'Help: Create an index for this key or use a different filter.'


def _conditions(asked):
    if asked is None:
        return
    groups = [asked.must, asked.should, asked.must_not]
    groups.append(asked.min_should.conditions if asked.min_should else None)
    for group in groups:
        for condition in group if isinstance(group, list) else [group]:
            if isinstance(condition, models.Filter):
                yield from _conditions(condition)
            elif condition is not None:
                yield condition


def _key(condition):
    if isinstance(condition, models.FieldCondition):
        return condition.key
    if isinstance(condition, models.IsEmptyCondition):
        return condition.is_empty.key
    return condition.is_null.key if isinstance(condition, models.IsNullCondition) else None


def _wanted(condition) -> str:
    if isinstance(condition, models.FieldCondition) and condition.range is not None:
        is_time = isinstance(condition.range, models.DatetimeRange)
        return "datetime" if is_time else "integer"
    value = getattr(getattr(condition, "match", None), "value", None)
    if isinstance(value, bool):
        return "bool"
    return "integer" if isinstance(value, int) else "keyword"


def _size(condition) -> int:
    match = getattr(condition, "match", None)
    if isinstance(match, models.MatchAny):
        return len(match.any)
    return len(condition.has_id) if isinstance(condition, models.HasIdCondition) else 1


def check_filter(config, indexes, asked, is_update=False) -> None:
    """Refuses a filter on a key without an index of the right kind, and filters beyond the bounds."""
    if not config or not config.enabled or asked is None:
        return
    allowed = config.unindexed_filtering_update if is_update else config.unindexed_filtering_retrieve
    conditions = list(_conditions(asked))
    for condition in conditions:
        key = _key(condition)
        if allowed is False and key is not None and indexes.get(key) != _wanted(condition):
            kinds = f"[{_wanted(condition)}]"
            raise bad_request(
                f'Index required but not found for "{key}" of one of the following types: {kinds}. {HELP}'
            )
        if config.condition_max_size is not None and _size(condition) > config.condition_max_size:
            raise bad_request(f"Condition size limit {config.condition_max_size} exceeded.")
    most = config.filter_max_conditions
    if most is not None and len(conditions) > most:
        raise bad_request(f"Filter condition limit {most} exceeded.")


def check_limit(config, limit) -> None:
    if config and config.enabled and config.max_query_limit is not None and limit > config.max_query_limit:
        raise bad_request(f"Limit exceeded {limit} > {config.max_query_limit} for \"limit\".")


def check_batch(config, name, size) -> None:
    most = getattr(config, name) if config and config.enabled else None
    if most is not None and size > most:
        raise bad_request(f"Limit exceeded {size} > {most} for \"{name}\".")
