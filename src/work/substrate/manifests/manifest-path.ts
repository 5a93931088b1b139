import { hasNoControl } from '../../../text/control-characters.js';

/** Longest path of an entry, in UTF-16 units. */
export const MAX_ENTRY_PATH = 1_024;
/** Most folders of a path, itself included. */
export const MAX_PATH_PARTS = 32;

/**
 * The rule that a path of a manifest breaks; null for a good one. A good path is relative and has one spelling only: it
 * names the same file on every system, and never one outside of the folder that it is written to.
 */
export function pathProblem(path: string): string | null {
  if (path.length === 0 || path.length > MAX_ENTRY_PATH) return `must have 1 to ${MAX_ENTRY_PATH} characters`;
  if (!path.isWellFormed() || !hasNoControl(path)) return 'must be valid Unicode without control characters';
  if (path.normalize('NFC') !== path) return 'must be in Unicode form NFC';
  if (path.includes('\\')) return 'must separate folders with /';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'must be relative';
  const parts = path.split('/');
  if (parts.length > MAX_PATH_PARTS) return `must have at most ${MAX_PATH_PARTS} parts`;
  if (parts.includes('')) return 'must not contain // or end with /';
  return parts.some((part) => part === '.' || part === '..') ? 'must not contain . or .. as a folder' : null;
}

/** The folders that contain a path: `a` and `a/b` for `a/b/c`. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
}
