import type { ParsedDocument, WrittenFact } from '../parsed-document.js';

/** Limits the work of the parsers. Real front matter is shorter; lists of keywords reach 200,000 characters. */
export const MAX_FRONT_MATTER_CHARS = 500_000;

export type ReadMap = Pick<ParsedDocument, 'frontMatter' | 'written'>;
/** The metadata at the top of a file. */
export type ReadHeader = ReadMap & Pick<ParsedDocument, 'problems'>;
export const NOTHING_READ: ReadHeader = { frontMatter: {}, written: [], problems: [] };

/** Maps whose entries count as those of the top level: parameters of Hugo and Zola, and the taxonomies of Zola. */
export const UNFOLDED: readonly string[] = ['params', 'extra', 'taxonomies'];

/** The level of a key below another one; null for a map without meaning. @param holder  '' at the top level */
export function levelBelow(holder: string): WrittenFact['below'] | null {
  if (holder === 'metadata' || holder === 'mcp_metadata') return holder;
  return holder === '' || UNFOLDED.includes(holder) ? 'top' : null;
}

/** Adds the entries of the maps that are unfolded; those of the top level take precedence. */
export function unfolded(map: ReadHeader['frontMatter']): ReadHeader['frontMatter'] {
  const inner = UNFOLDED.map((key) => map[key]).filter(isMap);
  return inner.length === 0 ? map : { ...Object.assign({}, ...inner.reverse()), ...map };
}

/** Reports front matter that can't be read at all. */
export function notRead(reason: string): ReadHeader {
  return { ...NOTHING_READ, problems: [{ line: 1, reason: `front matter not read: ${reason}` }] };
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
