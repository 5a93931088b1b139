import { z } from 'zod';
import type { ImportedRow } from '../../core/ports/memory-store.port.js';
import { derivedId, type Parsed, parseJson, storableText } from './memory-line.js';

const label = z
  .string()
  .max(1_024)
  .transform((text) => text.toWellFormed());
const name = label.refine((text) => text !== '', 'it is empty');

// Additional fields of other versions and forks are ignored, as the reference server does.
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

/** Parses one line of the file format of `@modelcontextprotocol/server-memory`. */
export function parseGraphLine(text: string): Parsed<GraphEntity | GraphRelation> {
  return parseJson(text, line);
}

/** Limit of relations in a file; all are in memory during the import. */
export const MAX_RELATIONS = 1_000_000;

/** Limit of the relation sentences in an entity's text, in characters. */
const MAX_SENTENCES = 8_000;

const words = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

/** Turns `works_at` and `worksAt` into `works at`. */
function spoken(relationType: string): string {
  const apart = relationType.replace(/[_-]+/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return apart === relationType ? relationType : apart.toLowerCase();
}

/** The relations of each entity, as sentences in file order. */
export class EntityRelations {
  private readonly byEntity = new Map<string, string[]>();
  private count = 0;

  /** @returns false if the limit was reached and the relation was not added */
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

  /** The relation sentences of an entity, up to the length limit. */
  of(entityName: string): string {
    let length = 0;
    const sentences = this.byEntity.get(entityName) ?? [];
    return sentences.filter((sentence) => (length += sentence.length + 1) <= MAX_SENTENCES).join(' ');
  }
}

function aRow(parts: Pick<ImportedRow, 'id' | 'table' | 'text'>): ImportedRow {
  return { ...parts, origin: null, tags: [], isPrivate: false, createdAt: null, embedding: null };
}

/** The rows of one line, and the problems in it. */
export interface LineRows {
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
 * Converts an entity to rows: one for the entity with its relations, and one for each observation. Observations rarely
 * name their entity, so its name is prepended. Ids are derived from source and name, so a changed entity keeps its row.
 */
export function entityRows(
  source: string,
  { name: entityName, entityType, observations }: GraphEntity,
  relations: EntityRelations,
): LineRows {
  const sentences = relations.of(entityName);
  const kind = entityType === '' ? '' : `(${entityType})`;
  const text = `${words(entityName, kind)}.${sentences === '' ? '' : `\n${sentences}`}`;
  const id = derivedId('kg_entities', source, entityName);
  const rows = [aRow({ id, table: 'kg_entities', text: text.replaceAll('\0', ' ') })];
  const problems: string[] = [];
  observations.forEach((observation, i) => {
    // A blank observation is not a problem: a problem would prevent the removal of missing rows.
    if (typeof observation === 'string' && observation.trim() === '') return;
    const parsed = observationRow(source, entityName, observation);
    if ('value' in parsed) rows.push(parsed.value);
    else problems.push(`observations.${i}: ${parsed.problem}`);
  });
  return { rows, problems };
}
