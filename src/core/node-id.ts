import { boundId, decodePath, encodedId, encodePath } from './section-id.js';

/** What a node is, wherever it is stored: a document, a section or heading, a step of one, or a thing that is named. */
export type NodeKind = 'document' | 'place' | 'step' | 'entity';

/** What an id may stand for. Only a store can tell what it does; a place comes before all others. */
export interface NodeIdReading {
  /** Ids that a section or heading may have, the one as written first. */
  readonly places: readonly string[];
  /** Paths that a document may have, the one as written first. */
  readonly paths: readonly string[];
  /** Its place and number, from 1; null for what is no step. */
  readonly step: { readonly place: string; readonly number: number } | null;
  /** Key or name of an entity. */
  readonly name: string;
  /** Whether the end is missing: then only ids that are made anew can be compared with it. */
  readonly isBound: boolean;
}

const DOCUMENT_END = '#_document';
const ENTITY_START = 'entity:';
const STEP_END = /^(.+)(?:\/|#)_step-([1-9]\d*)$/s;
/** Ids that were too long end so; see `boundId`. */
const BOUND = /~[0-9a-f]{16}$/;

/**
 * The id of a node: `PATH#_document`, a section's id, `SECTION/_step-N`, `entity:KEY`.
 * @param name  path, id of the place, or key
 * @param number  of a step
 */
export function nodeId(kind: NodeKind, name: string, number = 0): string {
  if (kind === 'document') return boundId(`${encodePath(name)}${DOCUMENT_END}`);
  if (kind === 'entity') return `${ENTITY_START}${name}`;
  if (kind === 'step') return boundId(`${name}${name.includes('#') ? '/' : '#'}_step-${number}`);
  return name;
}

/** A name of an entity as an id, which it may be already. */
export function asEntityId(name: string): string {
  return name.startsWith(ENTITY_START) ? name : nodeId('entity', name);
}

/** Whether what was written for a document is its path alone. @param documentId  the id of what was found */
export function isPathAlone(written: string, documentId: string): boolean {
  return written !== documentId && !written.endsWith(DOCUMENT_END);
}

/** Reads an id as callers write it: encoded or plain. */
export function readNodeId(id: string): NodeIdReading {
  const path = id.endsWith(DOCUMENT_END) ? id.slice(0, -DOCUMENT_END.length) : id;
  const [, place, number] = STEP_END.exec(id) ?? [];
  return {
    places: distinct(id, encodedId(id)),
    paths: distinct(path, decodePath(path)),
    step: place === undefined ? null : { place, number: Number(number) },
    name: id.startsWith(ENTITY_START) ? id.slice(ENTITY_START.length) : id,
    isBound: BOUND.test(id),
  };
}

function distinct(first: string, second: string): readonly string[] {
  return first === second ? [first] : [first, second];
}
