import { rowsTogether } from '../../core/collections/group-rows.js';
import type { EntityType } from '../../core/graph-model.js';
import type { EntityCall } from '../../graph/entity-node.js';
import type { BuiltMention } from '../../ingest/built-index.js';

interface PlaceMentions {
  readonly place: string;
  /** Number of mentions by name or title. */
  readonly weight: number;
  /** The same without mentions of another document's title, because that document may be hidden. */
  readonly own: number;
  /** Number of mentions that define it. */
  readonly defines: number;
  /** Number of mention rows behind `own`. */
  readonly ownRows: number;
  /** Types and names used in the `own` mentions, as `TYPE\nNAME`. */
  readonly calls: readonly string[];
}

/** An entity with all its mentions. */
export interface MentionedEntity {
  readonly key: string;
  readonly places: readonly PlaceMentions[];
  /** Types and names, with the number of places that use them. */
  readonly calls: readonly EntityCall[];
}

const sum = (mentions: readonly BuiltMention[]): number =>
  mentions.reduce((total, { count }) => total + count, 0);

function inPlace(mentions: readonly BuiltMention[]): PlaceMentions {
  const own = mentions.filter(({ source }) => source !== 1);
  return {
    place: mentions[0]?.place ?? '',
    weight: sum(mentions),
    own: sum(own),
    defines: sum(mentions.filter(({ isDefined }) => isDefined)),
    ownRows: own.length,
    calls: [...new Set(own.map(({ type, name }) => `${type}\n${name}`))],
  };
}

/** Parses a stored `TYPE\nNAME`. @param places  number of places that use it */
export function readCall(call: string, places: number): EntityCall {
  const at = call.indexOf('\n');
  // Only known types are written.
  return { type: call.slice(0, at) as EntityType, name: call.slice(at + 1), places };
}

/** Collects the mentions of each entity. @param mentions  grouped by entity, then by place */
export function* mentionedEntities(mentions: Iterable<BuiltMention>): Generator<MentionedEntity> {
  for (const group of rowsTogether(mentions, ({ entity }) => entity)) {
    const places = [...rowsTogether(group, ({ place }) => place)].map(inPlace);
    const counts = new Map<string, number>();
    for (const call of places.flatMap(({ calls }) => calls)) counts.set(call, (counts.get(call) ?? 0) + 1);
    const calls = [...counts].map(([call, count]) => readCall(call, count));
    yield { key: group[0]?.entity ?? '', places, calls };
  }
}
