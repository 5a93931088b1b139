import GithubSlugger from 'github-slugger';
import { InvalidArgumentError } from '../core/errors.js';
import type { Section } from '../core/section.js';
import { clipText } from '../text/span.js';
import { wrongArgument } from './refuse-arguments.js';

/** Maximum length of an id in bytes. */
const MAX_ID_BYTES = 1_024;
const SHOWN = 200;

const shown = (id: string): string => clipText(id, SHOWN);

/** `{filepath}` or `{filepath}#{heading-path}`. */
const PATTERN = /^[^\s#]([^#]*[^\s#])?(#[^\s#]+)?$/u;
/** Matches strings that cannot be an id, however the path is spelled. */
const IMPOSSIBLE = /[\p{Cc}\p{Cs}]|^\s*(?:#|$)|#\s*$/u;

/** True if the string cannot name a document or section. */
export function isImpossibleId(id: string): boolean {
  return Buffer.byteLength(id) > MAX_ID_BYTES || IMPOSSIBLE.test(id);
}

export function malformedId(id: string): InvalidArgumentError {
  return wrongArgument(`Chunk ID '${shown(id)}' has invalid format.`, {
    reason: 'chunk_id_invalid',
    hint: 'Expected {filepath} or {filepath}#{heading-path}.',
  });
}

/**
 * The error for an id that was not found. Paths may contain white space and `#`, so malformed ids are looked up too.
 * @param nearest  the visible path that is most similar
 */
export function unknownId(id: string, nearest: string | null = null): InvalidArgumentError {
  if (!PATTERN.test(id)) return malformedId(id);
  return wrongArgument(`Chunk ID '${shown(id)}' not found.`, {
    reason: 'chunk_not_found',
    hint: 'Use search_docs to discover valid chunk IDs.',
    ...(nearest === null ? {} : { details: { nearest: shown(nearest) } }),
  });
}

/** True for a later part of a section that was too long. Only the first part has the heading. */
export function isLaterPart({ id, title }: Pick<Section, 'id' | 'title'>): boolean {
  const part = /[/#](_part-\d+)$/.exec(id)?.[1];
  return part !== undefined && GithubSlugger.slug(title) !== part;
}
