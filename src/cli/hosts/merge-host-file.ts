import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, parse as parseJson, type ParseError } from 'jsonc-parser';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import type { UserPlace } from '../../config/data-folder.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { Host, HostServer } from './hosts.js';

/** Our server's name in every host. */
const NAME = 'pith';

type Table = Readonly<Record<string, unknown>>;

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function refuse(host: Host, why: string): InvalidArgumentError {
  return new InvalidArgumentError(`The file of ${host.title} was not changed: ${why}.`, {
    reason: 'host_file_unreadable',
    hint: 'Add the server by hand; `pith doctor` prints what to add.',
  });
}

/** The servers in a file, by name. @throws InvalidArgumentError if they are not an object */
function serversIn(root: unknown, host: Host): Table {
  const servers = isTable(root) ? (root[host.key] ?? {}) : null;
  if (isTable(servers)) return servers;
  throw refuse(host, `${host.key} does not have the documented form`);
}

/** The keys to keep of our existing entry; none if it is remote, since hosts refuse a URL together with a command. */
function keptKeys(entry: unknown): Table {
  const isRemote = isTable(entry) && Object.keys(entry).some((key) => /url$/iu.test(key));
  return isTable(entry) && !isRemote ? entry : {};
}

interface Expected {
  /** The complete file, including our server. */
  readonly root: Table;
  readonly entry: Table;
  readonly kept: Table;
}

function expected(root: unknown, host: Host, server: HostServer): Expected {
  const servers = serversIn(root, host);
  const kept = keptKeys(servers[NAME]);
  const entry = { ...kept, ...host.entry(server) };
  const rest = isTable(root) ? root : {};
  return { root: { ...rest, [host.key]: { ...servers, [NAME]: entry } }, entry, kept };
}

function readJson(text: string, host: Host): unknown {
  const errors: ParseError[] = [];
  const root: unknown = parseJson(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw refuse(host, 'it is not JSON');
  return root;
}

/** Adds our server to JSON and keeps comments, order and indentation. */
function mergeJson(text: string, host: Host, server: HostServer): string {
  const old = text.trim() === '' ? '{}' : text;
  const { root, entry, kept } = expected(readJson(old, host), host, server);
  const formattingOptions = {
    insertSpaces: !/^\t/mu.test(old),
    tabSize: 2,
    eol: old.includes('\r\n') ? '\r\n' : '\n',
  };
  const put = (into: string, path: string[], value: unknown): string =>
    applyEdits(into, modify(into, [host.key, NAME, ...path], value, { formattingOptions }));
  const changed = Object.entries(entry).filter(([key, value]) => !isDeepStrictEqual(kept[key], value));
  // Changes single keys, so that comments inside the entry are kept.
  const merged =
    Object.keys(kept).length > 0
      ? changed.reduce((into, [key, value]) => put(into, [key], value), old)
      : put(old, [], entry);
  if (!isDeepStrictEqual(readJson(merged, host), root)) throw refuse(host, "it can't be edited safely");
  return merged.endsWith('\n') ? merged : `${merged}\n`;
}

function readToml(text: string, host: Host): unknown {
  try {
    // Converts to plain objects, which can be compared with ours.
    return JSON.parse(JSON.stringify(parseToml(text)));
  } catch {
    throw refuse(host, 'it is not TOML');
  }
}

function withoutTable(text: string, header: RegExp): string {
  let isOurs = false;
  const kept = text.split('\n').filter((line) => {
    if (/^\s*\[/u.test(line)) isOurs = header.test(line);
    return !isOurs;
  });
  return kept.join('\n');
}

/** Adds our server to TOML, as a table at the end. */
function mergeToml(text: string, host: Host, server: HostServer): string {
  const { root, entry } = expected(readToml(text, host), host, server);
  const header = new RegExp(`^\\s*\\[\\s*${host.key}\\s*\\.\\s*["']?${NAME}["']?\\s*[.\\]]`, 'u');
  const rest = withoutTable(text, header).trimEnd();
  const table = stringifyToml({ [host.key]: { [NAME]: entry } }).trim();
  const merged = `${rest}${rest === '' ? '' : '\n\n'}${table}\n`;
  // A line inside a multi-line string may look like a table header; then the result differs from the expected one.
  if (!isDeepStrictEqual(readToml(merged, host), root)) throw refuse(host, "it can't be edited safely");
  return merged;
}

const read = (text: string, host: Host): unknown => {
  if (host.format === 'toml') return readToml(text, host);
  return text.trim() === '' ? {} : readJson(text, host);
};

/** True if a host's file has an entry for our server. @throws InvalidArgumentError */
const hasEntry = (text: string, host: Host): boolean => NAME in serversIn(read(text, host), host);

/** Adds our server or updates its command. @param text  '' for a new file @throws InvalidArgumentError */
export function mergeHostFile(text: string, host: Host, server: HostServer): string {
  return host.format === 'json' ? mergeJson(text, host, server) : mergeToml(text, host, server);
}

/** The result of writing a host's file. */
export interface WrittenFile {
  readonly file: string;
  /** Path of the copy of the old file; null if there was none or it did not change. */
  readonly backup: string | null;
  readonly isChanged: boolean;
  /** True if it already had an entry for our server. */
  readonly isUpdate: boolean;
}

function notWritable(file: string, cause: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`${file} can't be written.`, {
    reason: 'host_file_not_writable',
    hint: 'Check that you have write permission, or add the entry by hand.',
    cause,
  });
}

function checkFolder(file: string, host: Host): void {
  if (existsSync(dirname(file))) return;
  throw new InvalidArgumentError(
    `The folder ${dirname(file)} does not exist, so ${host.title} does not seem to be installed.`,
    {
      reason: 'host_missing',
      hint: 'Start the host once, then try again; or add the entry by hand.',
    },
  );
}

/** Replaces a file atomically: readers see either the old or the new content. */
function replace(file: string, text: string, mode: number): void {
  const temporary = `${file}.pith-${process.pid}`;
  try {
    writeFileSync(temporary, text, { mode, flag: 'wx' });
    const handle = openSync(temporary, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Adds or updates our server, and stores a backup next to the file. @param now  the time in the name of the backup
 * @throws InvalidArgumentError `host_missing`, `host_file_unreadable`, `host_file_not_writable`; nothing is changed
 */
export function writeHostFile(
  host: Host,
  server: HostServer,
  { place, now }: { readonly place: UserPlace; readonly now: Date },
): WrittenFile {
  const named = host.file(place);
  checkFolder(named, host);
  const isThere = existsSync(named);
  // Dotfiles are often symlinks; the target is replaced and the link is kept.
  const file = isThere ? realpathSync(named) : named;
  const before = isThere ? readFileSync(file, 'utf8') : '';
  const text = mergeHostFile(before, host, server);
  const isUpdate = hasEntry(before, host);
  if (text === before) return { file, backup: null, isChanged: false, isUpdate };
  return { file, backup: putFile(file, text, now), isChanged: true, isUpdate };
}

/**
 * Writes a file and keeps what was there. @returns the path of the copy; null if there was no file
 * @throws InvalidArgumentError `host_file_not_writable`; nothing is changed
 */
export function putFile(file: string, text: string, now: Date): string | null {
  const isThere = existsSync(file);
  const backup = isThere ? `${file}.before-pith-${now.toISOString().replace(/[:.]/gu, '-')}` : null;
  try {
    if (backup) copyFileSync(file, backup, constants.COPYFILE_EXCL);
    replace(file, text, isThere ? statSync(file).mode & 0o777 : 0o600);
  } catch (error) {
    throw notWritable(file, error);
  }
  return backup;
}
