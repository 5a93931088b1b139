import type { EntityCall } from '../../graph/entity-node.js';
import type { EntityType } from '../../core/graph-model.js';
import type { BuiltMention } from '../../ingest/built-index.js';
import { rowsTogether } from './group-rows.js';

/** All mentions of an entity in one place. */
export interface PlaceMentions {
  readonly place: string;
  /** How often it is named, by name or title. */
  readonly weight: number;
  /** The same without titles of others that the text names: those tell of a document that may be hidden. */
  readonly own: number;
  /** How often in mentions that define it. */
  readonly defines: number;
  /** Rows that are not of such titles; the title is another one. */
  readonly ownRows: number;
  /** What it is taken for and called, `TYPE\nNAME` each; not by titles of others. */
  readonly calls: readonly string[];
}

/** An entity with everything that is said of it. */
export interface MentionedEntity {
  readonly key: string;
  readonly places: readonly PlaceMentions[];
  /** By the number of places. */
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

/** Reads a call as it is written. @param places  how many of them call it so */
export function readCall(call: string, places: number): EntityCall {
  const at = call.indexOf('\n');
  // Written from a list of them.
  return { type: call.slice(0, at) as EntityType, name: call.slice(at + 1), places };
}

/** @param mentions  those of an entity together, and of these those of a place */
export function* mentionedEntities(mentions: Iterable<BuiltMention>): Generator<MentionedEntity> {
  for (const group of rowsTogether(mentions, ({ entity }) => entity)) {
    const places = [...rowsTogether(group, ({ place }) => place)].map(inPlace);
    const counts = new Map<string, number>();
    for (const call of places.flatMap(({ calls }) => calls)) counts.set(call, (counts.get(call) ?? 0) + 1);
    const calls = [...counts].map(([call, count]) => readCall(call, count));
    yield { key: group[0]?.entity ?? '', places, calls };
  }
}
