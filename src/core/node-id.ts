import { boundId, decodePath, encodedId, encodePath } from './section-id.js';

/** The kinds of nodes: a document, a place (section or heading), a step of a place, or an entity. */
export type NodeKind = 'document' | 'place' | 'step' | 'entity';

/** The possible meanings of an id. Only a store can decide between them; places take precedence. */
interface NodeIdReading {
  /** Possible ids of a section or heading; the first one is the id as written. */
  readonly places: readonly string[];
  /** Possible paths of a document; the first one is the path as written. */
  readonly paths: readonly string[];
  /** Place and number of a step, from 1; null if the id is not a step id. */
  readonly step: { readonly place: string; readonly number: number } | null;
  /** Possible key or name of an entity. */
  readonly name: string;
  /** True when the id was shortened by `boundId`. It can then only be compared with newly made ids. */
  readonly isBound: boolean;
}

const DOCUMENT_END = '#_document';
const ENTITY_START = 'entity:';
const STEP_END = /^(.+)(?:\/|#)_step-([1-9]\d*)$/s;
/** The end of ids that `boundId` has shortened. */
const BOUND = /~[0-9a-f]{16}$/;

/**
 * Makes the id of a node: `PATH#_document`, a section id, `SECTION/_step-N`, `entity:KEY`.
 * @param name  path, id of the place, or entity key
 * @param number  number of a step, from 1
 */
export function nodeId(kind: NodeKind, name: string, number = 0): string {
  if (kind === 'document') return boundId(`${encodePath(name)}${DOCUMENT_END}`);
  if (kind === 'entity') return `${ENTITY_START}${name}`;
  if (kind === 'step') return boundId(`${name}${name.includes('#') ? '/' : '#'}_step-${number}`);
  return name;
}

/** Converts the name of an entity to an id; an id is returned unchanged. */
export function asEntityId(name: string): string {
  return name.startsWith(ENTITY_START) ? name : nodeId('entity', name);
}

/** True when a caller wrote only the path of a document. @param documentId  the id of the document found */
export function isPathAlone(written: string, documentId: string): boolean {
  return written !== documentId && !written.endsWith(DOCUMENT_END);
}

/** The kind of an id that Pith returned; `place` is the id itself, for a step the section that contains it. */
export function nodeKindOf(id: string): { readonly kind: NodeKind; readonly place: string } {
  if (id.startsWith(ENTITY_START)) return { kind: 'entity', place: id };
  if (id.endsWith(DOCUMENT_END)) return { kind: 'document', place: id };
  const step = STEP_END.exec(id)?.[1];
  return step === undefined ? { kind: 'place', place: id } : { kind: 'step', place: step };
}

/** Reads an id from a caller, with an encoded or a plain path, in any form of Unicode. */
export function readNodeId(written: string): NodeIdReading {
  const id = written.normalize('NFC');
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
