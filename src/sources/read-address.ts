import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { addressScheme, givenPath, localRepository } from '../config/given-path.js';
import { InvalidArgumentError } from '../core/errors.js';
import { isCode, isConverted, isDocument, mayBeDocument } from '../ingest/conversion/formats.js';
import { adviceFor } from '../ingest/unread-files.js';
import { decodePercent } from '../text/percent-encoding.js';
import { InvalidAddressError, parseAddress } from './guarded-address.js';
import type { SiteSource } from './site/fetch-site.js';
import type { FileSource, FolderSource, GitSource, Source } from './source.js';

export type AnySource = FolderSource | FileSource | GitSource | SiteSource;

/** The settings of a source besides its address. */
export interface AddressOptions {
  /** Default: made of the address. */
  readonly name?: string | undefined;
  /** Default: that of the address. */
  readonly kind?: Source['kind'] | undefined;
  readonly branch?: string | undefined;
  readonly path?: string | undefined;
  readonly secret?: string | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
  /** Relative paths start here. Default: the working directory. */
  readonly base?: string | undefined;
}

/** The parts of a source that its address decides. */
type Read = Pick<Source, 'kind' | 'address'> & Pick<GitSource, 'branch' | 'path'>;

const ARCHIVE = /\.(?:zip|tar|tgz|tar\.gz)$/i;
/** Addresses of files whose content tells the format. `v1.2` is no manual page, and a sitemap belongs to its site. */
const RECOGNISED =
  /\/(?!sitemap)[^/]*\.(?:json|ya?ml|xml|dita|dbk|docbook|man|mdoc)$|[a-z]\.[1-8][a-z]{0,10}$/i;
const GIT = /\.git\/?$/i;
/** Hosts whose addresses of two parts are repositories. */
const FORGES = ['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org'];

const MAX_NAME_CHARS = 64;
/** The name of a source in a list. */
const SOURCE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * Reads what people and lists write for a source: a folder, a file, an archive, a repository or a site.
 * @throws InvalidArgumentError with advice
 */
export function readAddress(written: string, options: AddressOptions = {}): AnySource {
  const { name, kind, branch, path, secret, allowedHosts = [], base = '.' } = options;
  const found = readText(written.trim(), kind, base);
  const [twice] = conflicts(found, { branch, path });
  if (twice !== undefined) throw refused(shownAddress(found), twice, 'Leave one of them out.');
  const read = { ...found, ...given({ branch, path }) };
  const common = { name: name ?? nameFor(read), allowedHosts, ...(secret === undefined ? {} : { secret }) };
  const { address } = read;
  if (read.kind !== 'git') {
    if (branch !== undefined || path !== undefined)
      throw refused(shownAddress(read), `only a repository has a branch and a path`, 'Leave them out.');
    return { ...common, kind: read.kind, address };
  }
  return { ...common, ...checkedPlace(read), kind: 'git', address };
}

function readText(text: string, kind: Source['kind'] | undefined, base: string): Read {
  if (text === '') throw refused('""', 'it is empty', 'Give a folder, a file or an address.');
  const scheme = addressScheme(text);
  switch (scheme) {
    case null:
      return readPath(text, kind, base);
    case '':
      return repository(text);
    case 'http':
    case 'https':
      return readWeb(text, kind);
    case 'ssh':
      return repository(withoutPassword(text));
    case 'file':
      return readFileUrl(text, kind, base);
    default:
      throw refused(
        `${scheme}://…`,
        `${scheme} is not read`,
        'Use an address of https, http, file or ssh, or download the documents and give their folder.',
      );
  }
}

function readWeb(text: string, kind: Source['kind'] | undefined): Read {
  const url = parseAddress(text);
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const isRepository = GIT.test(url.pathname) || (FORGES.includes(url.hostname) && parts.length === 2);
  if (kind === 'git' || (kind === undefined && isRepository)) return repository(text);
  const isFile = isConverted(url.pathname) || RECOGNISED.test(url.pathname);
  const found = ARCHIVE.test(url.pathname) ? 'archive' : isFile ? 'file' : 'site';
  if (kind === 'folder')
    throw refused(shownAddress({ address: text }), 'an address is not a folder', 'Leave the kind out.');
  return { kind: kind ?? found, address: url.href };
}

function readFileUrl(text: string, kind: Source['kind'] | undefined, base: string): Read {
  const { address, branch, path } = repository(text);
  const file = localPath(address);
  const isRepository =
    GIT.test(address) || (text.includes('#') && !statSync(file, { throwIfNoEntry: false })?.isFile());
  if (kind === 'git' || (kind === undefined && isRepository))
    return { kind: 'git', address: pathToFileURL(file).href, ...given({ branch, path }) };
  return readPath(file, kind, base);
}

/** @throws InvalidArgumentError for a file URL of another host */
function localPath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new InvalidArgumentError(`${url} is not a path of this machine.`, {
      reason: 'address_invalid',
      hint: 'Write file:///path/to/repository.git.',
      cause,
    });
  }
}

function readPath(text: string, kind: Source['kind'] | undefined, base: string): Read {
  const { path, problem } = givenPath(text);
  if (path === null) throw refused(text, problem, 'Correct the path.');
  const address = resolve(base, path);
  if (kind !== undefined && kind !== 'site') {
    return { kind, address: kind === 'git' ? pathToFileURL(address).href : address };
  }
  const local = kind === undefined ? (localRepository(path, base) ?? lostRepository(path, base)) : null;
  if (local) return repository(pathToFileURL(local.folder).href + local.place);
  const found = statSync(address, { throwIfNoEntry: false });
  // Of what is not there, the ending tells what it was.
  const isFile = found ? found.isFile() : ARCHIVE.test(address) || isDocument(address);
  if (!isFile) return { kind: 'folder', address };
  if (ARCHIVE.test(address)) return { kind: 'archive', address };
  if (mayBeDocument(address)) return { kind: 'file', address };
  throw refused(address, 'it is a file of a format that is not read', adviceOnFile(address));
}

/** Of what is not there, the writing tells that it was a repository: it may not be mounted now. */
function lostRepository(path: string, base: string): ReturnType<typeof localRepository> {
  const [, folder = path, place = ''] = /^([^#]*)(#[^]+)$/.exec(path) ?? [];
  const isFile = isDocument(path) && !place.includes(':');
  const isLost = !existsSync(resolve(base, path)) && !isFile && (place !== '' || GIT.test(path));
  return isLost ? { folder: resolve(base, folder), place } : null;
}

function adviceOnFile(path: string): string {
  const advice = adviceFor(path);
  if (advice !== null) return `Convert it: ${advice.replaceAll('FILE', path)}.`;
  if (isCode(path))
    return `Documentation in code is read if \`include\` names it: pith add ${dirname(path)} --include "**/*${extname(path)}"`;
  return 'Give a document, such as .md, .html, .pdf or .docx, an archive (.zip, .tar.gz), or a folder.';
}

/** The parts that an address and the options name differently. */
const conflicts = (found: Read, options: Pick<AddressOptions, 'branch' | 'path'>): string[] =>
  (['branch', 'path'] as const).flatMap((part) => {
    const [inAddress, given] = [found[part], options[part]];
    const isTwice = inAddress !== undefined && given !== undefined && inAddress !== given;
    return isTwice ? [`its address names the ${part} ${inAddress}, and its settings ${given}`] : [];
  });

/** `ADDRESS#BRANCH:PATH`; both parts may be missing. */
function repository(text: string): Read {
  const at = text.indexOf('#');
  if (at < 0) return { kind: 'git', address: text.replace(/\/+$/, '') };
  const fragment = text.slice(at + 1);
  const colon = fragment.indexOf(':');
  const [branch, path] = colon < 0 ? [fragment, ''] : [fragment.slice(0, colon), fragment.slice(colon + 1)];
  const address = text.slice(0, at).replace(/\/+$/, '');
  return { kind: 'git', address, ...given({ branch: branch || undefined, path: path || undefined }) };
}

function given<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

function withoutPassword(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === '' || url.hostname.startsWith('-'))
    throw new InvalidAddressError('its host is not a name');
  if (url.password !== '') throw new InvalidAddressError('it contains a password; ssh uses your key');
  return text;
}

/** Names of branches and tags that git allows, but for those that a shell or a person would misread. */
const BRANCH = /^(?![-/.])(?!.*(?:\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)))[\p{L}\p{N}._/@+=-]{1,200}(?<![/.])$/u;

/** The branch and the path of a repository. @throws InvalidArgumentError */
function checkedPlace({ branch, path }: Read): Pick<GitSource, 'branch' | 'path'> {
  if (branch !== undefined && !BRANCH.test(branch))
    throw refused('The branch', 'it is not the name of a branch or a tag', 'Write ADDRESS#BRANCH:FOLDER.');
  const inside = path?.replace(/^\.?\/+|\/+$/g, '');
  const isOutside = inside?.split('/').some((part) => part === '..' || part === '.' || part === '');
  if (inside && (isOutside === true || /[\p{Cc}\\]/u.test(inside)))
    throw refused('The path', 'it leaves the repository', 'Write ADDRESS#BRANCH:FOLDER.');
  return given({ branch, path: inside || undefined });
}

function refused(what: string, reason: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(`${what} can't be a source: ${reason}.`, {
    reason: 'source_invalid',
    hint,
  });
}

function nameFor({ kind, address }: Read): string {
  const isWeb = /^https?:/i.test(address);
  const path = isWeb ? decodePercent(new URL(address).pathname) : address;
  const last = basename(path.replace(/\/?\.git\/?$/i, '').replace(/^.*:(?=[^/]*$)/, ''));
  const whole = kind === 'site' ? new URL(address).host + path : last.replace(ARCHIVE, '');
  const stem = kind === 'file' ? whole.replace(/(?<=.)\.[^.]*$/, '') : whole;
  const name = stem
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, MAX_NAME_CHARS);
  return SOURCE_NAME.test(name) ? name : 'documents';
}

/** A source as people write it, without a query: two branches of a repository are two sources. */
export function shownSource(source: AnySource): string {
  const { branch = '', path = '' } = source.kind === 'git' ? source : {};
  const place = path === '' ? branch : `${branch}:${path}`;
  return shownAddress(source) + (place === '' ? '' : `#${place}`);
}

/** An address as messages, indexes and citations have it: without a user, a password and a query, which can be a signature. */
export function shownAddress({ address }: Pick<Source, 'address'>): string {
  const plain = address.replace(/^([a-z+]+:\/\/)[^/?#@]*@/i, '$1');
  return /^https?:/i.test(plain) ? plain.replace(/\?[^#]*/, '') : plain;
}
