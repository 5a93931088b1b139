import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError } from '../core/errors.js';
import { thisUser } from './data-folder.js';

/** A path as hosts, shells and people write it: the path itself, or what is wrong with it and what to do. */
export type GivenPath =
  { readonly path: string; readonly problem: null } | { readonly path: null; readonly problem: string };

/** A drive letter is no scheme. */
const URI = /^[a-z][a-z\d+.-]+:\/\//i;
/** `git@host:path`. A user is needed: `C:\\docs` is a path. */
const SCP = /^[\w.+-]+@[\w.-]+:(?!\/\/)./;
/** `${workspaceFolder}`, `%USERPROFILE%`, `$HOME/docs` and `$env:APPDATA`. */
const VARIABLE = /\$\{[^}]*\}|%[A-Za-z_][\w()]*%|^\$(?:env:)?[A-Za-z_]\w*(?=[\\/]|$)/;
const OTHER_HOME = /^~[\w.-]+(?=[\\/]|$)/;

/** The scheme of an address, in lower case; '' for `git@host:path`, and null for a path. */
export function addressScheme(text: string): string | null {
  if (SCP.test(text)) return '';
  return URI.test(text) ? text.slice(0, text.indexOf(':')).toLowerCase() : null;
}

function pathOfUri(uri: string): string | null {
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}

function problemOf(text: string): string | null {
  if (/^file:/i.test(text)) {
    const path = pathOfUri(text);
    return `${text} is a URI. Give the path${path === null ? '' : `: ${path}`}`;
  }
  if (URI.test(text))
    return `${text} is a URL, and Pith reads files of this machine. Download them, and give the path`;
  const [variable] = VARIABLE.exec(text) ?? [];
  if (variable !== undefined)
    return `${variable} was not replaced by its value: the program that started Pith does not know it. Give the whole path`;
  const [home] = OTHER_HOME.exec(text) ?? [];
  return home === undefined
    ? null
    : `only ~ alone is the home folder. Give the whole path, or ./${home} for a file of that name`;
}

/**
 * Reads a path that was given in a setting or on the command line. `~` is the home folder, because hosts start programs
 * without a shell.
 * @param home  the user's home folder
 */
export function givenPath(text: string, home = thisUser().home): GivenPath {
  const problem = problemOf(text);
  if (problem !== null) return { path: null, problem };
  return { path: /^~(?:[\\/]|$)/.test(text) ? join(home, text.slice(1)) : text, problem: null };
}

/** A repository of this machine, and what follows its path: `''`, or `#BRANCH:FOLDER`. */
interface LocalRepository {
  readonly folder: string;
  readonly place: string;
}

/**
 * Finds a repository at a path. A bare one has no files to index, and a branch or a folder of any is asked for by `#`.
 * @returns null for other folders, which are indexed as they are
 */
export function localRepository(path: string, base = '.'): LocalRepository | null {
  const at = existsSync(resolve(base, path)) ? -1 : path.indexOf('#');
  const folder = resolve(base, at < 0 ? path : path.slice(0, at));
  const isBare = ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
  const isRepository = isBare || (at >= 0 && existsSync(join(folder, '.git')));
  return isRepository ? { folder, place: at < 0 ? '' : path.slice(at) } : null;
}

const ARCHIVE = /\.(?:zip|tar|tgz|gz|bz2|xz|zst|7z|rar|jar)$/i;

/** The error for a file that is given as a folder of documents. */
export function notAFolder(path: string): InvalidArgumentError {
  const [what, hint] = ARCHIVE.test(path)
    ? ['an archive', 'Unpack it, and give the folder with its files.']
    : ['a file', 'Give the folder that contains it.'];
  return new InvalidArgumentError(`${resolve(path)} is ${what}, not a folder.`, {
    reason: 'not_a_folder',
    hint,
  });
}

/** The first bytes of a file; none of what is no regular file. */
export function readStart(absolute: string, count: number): Uint8Array {
  // Opening a pipe waits for its writer.
  if (!statSync(absolute).isFile()) return new Uint8Array();
  const file = openSync(absolute, 'r');
  try {
    const start = new Uint8Array(count);
    return start.subarray(0, readSync(file, start));
  } finally {
    closeSync(file);
  }
}
