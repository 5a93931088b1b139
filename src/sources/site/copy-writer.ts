import { createHash } from 'node:crypto';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { isDocument } from '../../ingest/conversion/formats.js';
import { isHidden } from '../../ingest/walk-folder.js';
import { decodePercent } from '../../text/percent-encoding.js';
import { isDeviceName, linkOrCopy } from '../copy-files.js';
import type { CopiedFile } from '../source.js';
import type { PageContent } from './page-content.js';
import type { PreviousPages } from './previous-pages.js';

/** Characters of names that mean nothing to file systems and shells. */
const UNSAFE = /[^\p{L}\p{N}._~@+-]+/gu;
const MAX_NAME_BYTES = 120;
const MAX_PATH_BYTES = 400;
const MAX_FOLDERS = 24;

/** Writes the files of a new copy, and takes over those of the previous one. */
export class CopyWriter {
  /** By address. */
  private readonly files = new Map<string, CopiedFile>();
  private readonly digests = new Map<string, string>();
  /** In lower case, because some file systems do not tell cases apart. */
  private readonly paths = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly previous: PreviousPages,
  ) {}

  get size(): number {
    return this.files.size;
  }

  /** @param file  with the address of the page; its path is made from it */
  write(file: Omit<CopiedFile, 'path'>, { extension, bytes }: PageContent): void {
    const path = this.freePath(file.address, extension);
    makeFolder(dirname(join(this.folder, path)));
    writeFileSync(join(this.folder, path), bytes, { flag: 'wx' });
    this.add({ ...file, path }, bytes);
  }

  /**
   * Takes a file of the previous copy over.
   * @param isCurrent  true if the site just said that it has not changed
   */
  keep(file: CopiedFile, isCurrent: boolean): void {
    if (this.files.has(file.address)) return;
    const path = this.paths.has(file.path.toLowerCase())
      ? this.freePath(file.address, extname(file.path).slice(1))
      : file.path;
    const to = join(this.folder, path);
    makeFolder(dirname(to));
    linkOrCopy(this.previous.place(file), to);
    if (isCurrent) utimesSync(to, new Date(), new Date());
    this.add({ ...file, path }, readFileSync(to));
  }

  /** Writes a file that is no page, unless its text is empty. */
  mark(name: string, text: string): void {
    if (text === '') return;
    writeFileSync(join(this.folder, name), text);
    this.digests.set(name, text);
  }

  /** The files by path, and their revision: a digest of addresses, contents and marks. */
  finish(): { readonly files: CopiedFile[]; readonly revision: string } {
    const digest = createHash('sha256');
    for (const [address, content] of [...this.digests].sort(byFirst))
      digest.update(`${address}\0${content}\n`);
    const files = [...this.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    return { files, revision: digest.digest('hex') };
  }

  private add(file: CopiedFile, bytes: Buffer): void {
    this.paths.add(file.path.toLowerCase());
    this.files.set(file.address, file);
    this.digests.set(file.address, createHash('sha256').update(bytes).digest('hex'));
  }

  private freePath(address: string, extension: string): string {
    const path = pathFor(new URL(address), extension);
    if (!this.paths.has(path.toLowerCase())) return path;
    return path.replace(/(\.[a-z\d]+)$/i, `-${hash(address)}$1`);
  }
}

/**
 * The path of a page in a copy, in the same folders as on the site, so that links between pages lead to their files.
 * @param extension  which the path gets if it does not have it
 */
export function pathFor({ pathname }: URL, extension: string): string {
  const names = pathname
    .slice(1)
    .split('/')
    .map((name) => decodePercent(name).normalize('NFC'));
  const last = withExtension(names.pop() || 'index', extension);
  const folders = names
    .filter((name) => name !== '')
    .map((name) => safeName(isDocument(name) ? `${name}_` : name));
  const path = [...folders, safeName(last)].join('/');
  const isShort = Buffer.byteLength(path) <= MAX_PATH_BYTES && folders.length <= MAX_FOLDERS;
  return isShort ? path : `${hash(pathname)}.${extension}`;
}

function withExtension(name: string, extension: string): string {
  const stem = extension === 'md' ? name.replace(/\.(?:html?|mdx|markdown)$/i, '') : name;
  const has = new RegExp(`\\.${extension === 'html' ? 'html?' : extension}$`, 'i').test(stem);
  return has ? stem : `${stem}.${extension}`;
}

function safeName(name: string): string {
  const safe = name.replace(UNSAFE, '_').replace(/\.+$/, '_');
  const plain = isHidden(safe) || isDeviceName(safe) ? `_${safe}` : safe;
  if (Buffer.byteLength(plain) <= MAX_NAME_BYTES) return plain;
  return `${plain.slice(0, 24)}-${hash(plain)}${/\.[a-z\d]+$/i.exec(plain.slice(-10))?.[0] ?? ''}`;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

const byFirst = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1);
