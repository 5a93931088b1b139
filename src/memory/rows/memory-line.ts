import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  type ForeignEmbedding,
  type ImportedRow,
  MEMORY_TABLES,
  type MemoryTable,
} from '../../core/ports/memory-store.port.js';
import { clipText } from '../../text/span.js';
import { readInstant } from './read-instant.js';

/** Limit of a row's text, in UTF-8 bytes. */
const MAX_TEXT_BYTES = 65_536;

const MAX_TAGS = 64;
const MAX_DIMENSIONS = 8_192;
const MAX_PROBLEM_CHARS = 200;

const word = (max: number): z.ZodType<string> => z.string().trim().min(1).max(max);

// Ids appear in results and logs; without line breaks they can't imitate other lines.
const rowId = word(256).refine(
  (id) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(id),
  'it contains a line break or a control character',
);

/** Text that can be stored and searched. */
export const storableText = z
  .string()
  .refine((text) => text.trim() !== '', 'it is empty')
  .refine((text) => Buffer.byteLength(text) <= MAX_TEXT_BYTES, `it is longer than ${MAX_TEXT_BYTES} bytes`)
  .refine((text) => !text.includes('\0'), 'it contains a NUL character')
  // UTF-8 can't encode a lone surrogate.
  .transform((text) => text.toWellFormed());

const component = z
  .number()
  .refine((value) => Number.isFinite(Math.fround(value)), 'it is outside the range of a 32-bit float');

const line = z
  .strictObject({
    table: z.enum(MEMORY_TABLES),
    id: rowId.optional(),
    text: storableText,
    origin: word(64).nullish(),
    tags: z.array(word(128)).max(MAX_TAGS).nullish(),
    is_private: z.boolean().nullish(),
    created_at: z
      .string()
      .refine((text) => readInstant(text) !== null, 'it is not an ISO-8601 date or time')
      .nullish(),
    embedding: z.array(component).min(1).max(MAX_DIMENSIONS).nullish(),
    embedding_model: word(256).nullish(),
    embedding_dim: z.int().min(1).max(MAX_DIMENSIONS).nullish(),
  })
  .refine(({ embedding, embedding_dim: dim }) => !embedding || !dim || embedding.length === dim, {
    path: ['embedding'],
    error: 'its length differs from embedding_dim',
  })
  .refine(({ embedding, embedding_model: model }) => !embedding || model, {
    path: ['embedding_model'],
    error: 'it is missing, and an embedding is usable only with its model',
  });

type Line = z.infer<typeof line>;

/** The parsed value, or the problem. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

/** Parses and validates JSON. The problem names fields and never quotes their values. */
export function parseJson<T>(text: string, schema: z.ZodType<T>): Parsed<T> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's own message quotes the line.
    return { problem: 'it is not JSON' };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const problems = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message));
  return { problem: printable(problems.join('; ')) };
}

/** Removes line breaks and control characters: names of unknown fields come from the file. */
function printable(problem: string): string {
  return clipText(problem.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '), MAX_PROBLEM_CHARS);
}

function embeddingOf({ embedding, embedding_model: model }: Line): ForeignEmbedding | null {
  return embedding && model ? { model, vector: Float32Array.from(embedding) } : null;
}

const PREFIX: Readonly<Record<MemoryTable, string>> = {
  thoughts: 't:',
  kg_entities: 'e:',
  kg_observations: 'o:',
};

/** Adds the table's prefix to an id that does not have it. */
export function prefixedId(table: MemoryTable, id: string): string {
  return id.startsWith(PREFIX[table]) ? id : PREFIX[table] + id;
}

/** A deterministic id for a row without one: 144 bits of the SHA-256 of its words. */
export function derivedId(table: MemoryTable, ...words: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([table, ...words]));
  return PREFIX[table] + hash.digest('base64url').slice(0, 24);
}

function toRow(parsed: Line): ImportedRow {
  const { table, id, text, origin, tags, is_private: isPrivate, created_at: createdAt } = parsed;
  const at = createdAt ? readInstant(createdAt) : null;
  return {
    id: id === undefined ? derivedId(table, text) : prefixedId(table, id),
    table,
    text,
    origin: origin ?? null,
    tags: [...new Set(tags)].sort(),
    isPrivate: isPrivate ?? false,
    createdAt: at === null ? null : new Date(at).toISOString(),
    embedding: embeddingOf(parsed),
  };
}

/** Parses one JSON row of an import. Unknown fields are a problem, since their content would be lost. */
export function parseMemoryLine(text: string): Parsed<ImportedRow> {
  const parsed = parseJson(text, line);
  return 'value' in parsed ? { value: toRow(parsed.value) } : parsed;
}
