import { statSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** A file below the folder. */
export interface FoundFile {
  readonly kind: 'file';
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly absolute: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** Something that was not followed or could not be read. */
export interface PassedOver {
  readonly kind: 'skipped';
  readonly path: string;
  readonly reason: string;
  /** Whether somebody should mend it, as opposed to a choice of ours. */
  readonly isProblem: boolean;
}

/** Folders that hold no documents of the project itself. */
const NEVER = new Set(['node_modules', '__pycache__']);

/** Whether a file or folder of this name is left out without a word. */
export function isHidden(name: string): boolean {
  return name.startsWith('.') || NEVER.has(name);
}

export interface WalkOptions {
  readonly root: string;
  readonly isWanted: (path: string) => boolean;
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

function because(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EACCES' || code === 'EPERM') return 'no permission to read it';
  if (code === 'ELOOP') return 'a loop of symbolic links';
  if (code === 'ENOENT') return 'it vanished while it was being read';
  return `it can't be read (${code || 'unknown error'})`;
}

/** Why a file could not be read, in words for the report. */
export function unreadable(path: string, error: unknown): PassedOver {
  return { kind: 'skipped', path, reason: because(error), isProblem: true };
}

/** Links are never followed: who wants their target indexed names it. */
async function describeLink(root: string, absolute: string, path: string): Promise<PassedOver> {
  const skipped = (what: string): PassedOver => ({
    kind: 'skipped',
    path,
    reason: `a symbolic link ${what}`,
    isProblem: false,
  });
  try {
    const target = relative(await realpath(root), await realpath(absolute));
    const isInside = target !== '..' && !target.startsWith(`..${sep}`);
    return skipped(isInside ? 'within the folder' : 'that leaves the folder');
  } catch (error) {
    const isLoop = error instanceof Error && 'code' in error && error.code === 'ELOOP';
    return skipped(isLoop ? 'in a loop' : 'to nothing');
  }
}

function notAFile(path: string): PassedOver {
  return { kind: 'skipped', path, reason: 'no regular file', isProblem: false };
}

function describeFile(absolute: string, path: string): FoundFile | PassedOver {
  try {
    const { size, mtimeMs } = statSync(absolute);
    return { kind: 'file', path, absolute, bytes: size, mtimeMs };
  } catch (error) {
    return unreadable(path, error);
  }
}

/** Every wanted file below the root, in the order of names; hidden folders and files are left out. */
export async function* walkFolder(options: WalkOptions, folder = ''): AsyncGenerator<FoundFile | PassedOver> {
  const { root, isWanted } = options;
  let entries;
  try {
    entries = await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    yield unreadable(folder === '' ? '.' : folder, error);
    return;
  }
  for (const entry of entries.sort(byName)) {
    if (isHidden(entry.name)) continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const absolute = join(root, path);
    if (entry.isDirectory()) {
      yield* walkFolder(options, path);
    } else if (entry.isSymbolicLink()) {
      yield await describeLink(root, absolute, path);
    } else if (isWanted(path)) {
      yield entry.isFile() ? describeFile(absolute, path) : notAFile(path);
    }
  }
}
