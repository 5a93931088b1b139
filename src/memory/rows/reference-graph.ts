import { z } from 'zod';
import { parseJson, storableText } from './memory-line.js';
import type { Parsed } from './memory-line.js';
import type { ImportedRow } from '../../core/ports/memory-writer.port.js';
import { derivedId } from './row-id.js';

const label = z
  .string()
  .max(1_024)
  .transform((text) => text.toWellFormed());
const name = label.refine((text) => text !== '', 'it is empty');

// What other versions and forks add is passed over, as their own programs do.
const entity = z.object({
  type: z.literal('entity'),
  name,
  entityType: label,
  observations: z.array(z.unknown()).max(100_000),
});
const relation = z.object({ type: z.literal('relation'), from: name, to: name, relationType: label });
const line = z.discriminatedUnion('type', [entity, relation], { error: 'it is neither entity nor relation' });

export type GraphEntity = z.infer<typeof entity>;
export type GraphRelation = z.infer<typeof relation>;

/** Reads one line of the file that `@modelcontextprotocol/server-memory` keeps. */
export function parseGraphLine(text: string): Parsed<GraphEntity | GraphRelation> {
  return parseJson(text, line);
}

/** Relations that a file may have; they are in memory while it is imported. */
export const MAX_RELATIONS = 1_000_000;

/** Characters of relations that an entity's text names. */
const MAX_SENTENCES = 8_000;

const words = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

/** `works_at` and `worksAt` as people say it. */
function spoken(relationType: string): string {
  const apart = relationType.replace(/[_-]+/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return apart === relationType ? relationType : apart.toLowerCase();
}

/** Which relations each entity has, as sentences in the order of the file. */
export class EntityRelations {
  private readonly byEntity = new Map<string, string[]>();
  private count = 0;

  /** @returns whether there was room for it */
  add({ from, to, relationType }: GraphRelation): boolean {
    if (this.count >= MAX_RELATIONS) return false;
    this.count++;
    const sentence = `${words(from, spoken(relationType), to)}.`;
    for (const entityName of new Set([from, to])) {
      const sentences = this.byEntity.get(entityName) ?? [];
      sentences.push(sentence);
      this.byEntity.set(entityName, sentences);
    }
    return true;
  }

  /** What is said of an entity, as far as there is room. */
  of(entityName: string): string {
    let length = 0;
    const sentences = this.byEntity.get(entityName) ?? [];
    return sentences.filter((sentence) => (length += sentence.length + 1) <= MAX_SENTENCES).join(' ');
  }
}

function aRow(parts: Pick<ImportedRow, 'id' | 'table' | 'text'>): ImportedRow {
  return { ...parts, origin: null, tags: [], isPrivate: false, createdAt: null, embedding: null };
}

/** The rows of an entity, and what of it could not be one. */
export interface EntityRows {
  readonly rows: readonly ImportedRow[];
  readonly problems: readonly string[];
}

function observationRow(source: string, entityName: string, observation: unknown): Parsed<ImportedRow> {
  const spelt = z.string().pipe(storableText).safeParse(observation);
  const whole = spelt.success ? storableText.safeParse(`${entityName}: ${spelt.data}`) : spelt;
  if (!spelt.success || !whole.success) return { problem: whole.error?.issues[0]?.message ?? '' };
  const id = derivedId('kg_observations', source, entityName, spelt.data);
  return { value: aRow({ id, table: 'kg_observations', text: whole.data }) };
}

/**
 * One entity as rows: itself with its relations, and each of its observations with its name before it, since they
 * seldom say of whom they speak. Ids follow from source and name, so that an entity that changes stays the same row.
 */
export function entityRows(
  source: string,
  { name: entityName, entityType, observations }: GraphEntity,
  relations: EntityRelations,
): EntityRows {
  const sentences = relations.of(entityName);
  const kind = entityType === '' ? '' : `(${entityType})`;
  const text = `${words(entityName, kind)}.${sentences === '' ? '' : `\n${sentences}`}`;
  const id = derivedId('kg_entities', source, entityName);
  const rows = [aRow({ id, table: 'kg_entities', text: text.replaceAll('\0', ' ') })];
  const problems: string[] = [];
  observations.forEach((observation, i) => {
    // It says nothing, so nothing is lost; a problem would keep what the file has forgotten.
    if (typeof observation === 'string' && observation.trim() === '') return;
    const parsed = observationRow(source, entityName, observation);
    if ('value' in parsed) rows.push(parsed.value);
    else problems.push(`observations.${i}: ${parsed.problem}`);
  });
  return { rows, problems };
}
