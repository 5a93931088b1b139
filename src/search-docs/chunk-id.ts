import GithubSlugger from 'github-slugger';
import { InvalidArgumentError } from '../core/errors.js';
import type { Section } from '../core/section.js';
import { clipText } from '../text/clip-text.js';
import { wrongArgument } from './refuse-arguments.js';

/** As long as an id can be, in bytes. */
export const MAX_ID_BYTES = 1_024;
const SHOWN = 200;

const shown = (id: string): string => clipText(id, SHOWN);

/** `{filepath}` or `{filepath}#{heading-path}`. */
const PATTERN = /^[^\s#]([^#]*[^\s#])?(#[^\s#]+)?$/u;
/** What no id looks like, however its path is spelled. */
const IMPOSSIBLE = /[\p{Cc}\p{Cs}]|^\s*(?:#|$)|#\s*$/u;

/** Whether no document and no section can be meant. */
export function isImpossibleId(id: string): boolean {
  return Buffer.byteLength(id) > MAX_ID_BYTES || IMPOSSIBLE.test(id);
}

/** What to answer when an id is not the contract's form of one. */
export function malformedId(id: string): InvalidArgumentError {
  return wrongArgument(`Chunk ID '${shown(id)}' has invalid format.`, {
    reason: 'chunk_id_invalid',
    hint: 'Expected {filepath} or {filepath}#{heading-path}.',
  });
}

/**
 * What to answer when nothing visible has this id. A path may hold white space and `#` as it is, so what looks
 * malformed is only called so once it was looked for.
 */
export function unknownId(id: string): InvalidArgumentError {
  if (!PATTERN.test(id)) return malformedId(id);
  return wrongArgument(`Chunk ID '${shown(id)}' not found.`, {
    reason: 'chunk_not_found',
    hint: 'Use search_docs to discover valid chunk IDs.',
  });
}

/** Whether a section is a later part of one that was too long: the heading stands above the first part only. */
export function isLaterPart({ id, title }: Pick<Section, 'id' | 'title'>): boolean {
  const part = /[/#](_part-\d+)$/.exec(id)?.[1];
  return part !== undefined && GithubSlugger.slug(title) !== part;
}
