import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Document, isSeq, parseDocument } from 'yaml';
import type { Config } from '../../config/config.js';
import { addressScheme, givenPath } from '../../config/given-path.js';
import { readIndexSources, replaceFile } from '../../config/index-sources.js';
import { makeFolder } from '../../config/make-folder.js';
import { InvalidArgumentError, nullIfLost } from '../../core/errors.js';
import { tell } from '../../core/stderr.js';
import { MANIFEST_NAME } from '../../ingest/manifest/manifest.js';
import { type AddressOptions, readAddress } from '../../sources/read-address.js';
import { isListFolder, type ListedSource, readSourceList } from '../../sources/source-list.js';
import {
  isMissingFolder,
  notedFacts,
  type SourceFacts,
  sourceFacts,
  userSources,
} from '../../sources/sync-sources.js';
import { readRoot } from '../../sqlite/index-file.js';
import { EXIT } from '../failures.js';
import { type AddFlags, defined, settingsFrom, type SyncFlags } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { print } from '../print.js';
import { listingCommand, problemsIn, reportJson, shortReportLines, when } from '../reports/report-lines.js';
import {
  advised,
  factsLines,
  leftOutLines,
  placeOptions,
  refusedLines,
  stateLine,
} from '../reports/source-lines.js';
import { indexSynced, planSynced } from '../running/index-synced.js';
import type { CommandEngines } from '../running/session.js';

const NEW_LIST = `# The sources of one index. \`pith sources\` shows their state, \`pith sync\` brings the index up to date.
`;
/** For a folder whose own files nobody has asked to index. */
const WITHOUT_OWN = 'include: [] # The files of this folder itself are not documents.\n';

const listFile = (folder: string): string => join(folder, MANIFEST_NAME);

function writeList(folder: string, text: string): void {
  makeFolder(folder);
  replaceFile(listFile(folder), text, 0o644);
}

function readList(folder: string, start = ''): Document {
  const file = listFile(folder);
  return parseDocument(existsSync(file) ? readFileSync(file, 'utf8') : NEW_LIST + start);
}

/** True if the index is of the files of this folder. */
function isIndexed(folder: string, flags: AddFlags, engines: CommandEngines): boolean {
  const config = loadConfig(settingsFrom(flags));
  const { profile } = engines.configuredEmbedder(config);
  if (!existsSync(config.index.file) || !existsSync(folder)) return false;
  try {
    return readRoot(config.index.file, profile) === realpathSync(folder);
  } catch (error) {
    return nullIfLost(error) ?? false;
  }
}

/** Says that a new list leaves out the files beside it. */
function tellLeftOut(folder: string, index: string | undefined): void {
  if (readdirSync(folder).every((name) => name.startsWith('.'))) return;
  tell(
    `The files of ${folder} itself are not indexed. To index them too, remove the line "include: []" from ${listFile(folder)}, and run: pith sync${placeOptions(folder, index)}`,
  );
}

/** A path as the list has it: relative to its folder, so that both can be moved together. */
function listedAddress(text: string, folder: string): string {
  if (addressScheme(text) !== null) return text;
  const path = relative(folder, resolve(givenPath(text).path ?? text));
  if (isAbsolute(path)) return path;
  return path.startsWith('..') ? path.split(sep).join('/') : `./${path.split(sep).join('/')}`;
}

/** The options of `pith add` as the list has them, and as the address needs them. */
function readFlags(flags: AddFlags): { readonly entry: object; readonly options: AddressOptions } {
  const { name, kind, branch, path, secret, allowHost: allowedHosts } = flags;
  const entry = defined<unknown>({
    ...{ kind, branch, path, include: flags.include, exclude: flags.exclude, doc_tag: flags.docTag },
    ...{ repository: flags.repository, version: flags.docVersion, trust: flags.trust, secret },
    ...{ every: flags.every, hook_secret: flags.hookSecret, allowed_hosts: allowedHosts },
  });
  return { entry, options: { name, kind, branch, path, secret, allowedHosts } };
}

/** `pith add`: a source that can't be read is not added. */
export async function addSource(text: string, flags: AddFlags, engines: CommandEngines): Promise<number> {
  const folder = resolve(flags.folder);
  const { entry, options } = readFlags(flags);
  const source = readAddress(text, options);
  const { name } = source;
  if (isListFolder(source, folder)) throw ownFolder(folder);
  if (isMissingFolder(source)) throw noFolder(source.address);
  const before = existsSync(listFile(folder)) ? readFileSync(listFile(folder), 'utf8') : null;
  const known = await readSourceList(folder);
  if (known.some(({ source }) => source.name === name)) throw taken(name, placeOptions(folder, flags.index));
  const leavesOut = before === null && !isIndexed(folder, flags, engines);
  const list = readList(folder, leavesOut ? WITHOUT_OWN : '');
  const listed = { name, address: listedAddress(text, folder), ...entry };
  if (isSeq(list.get('sources'))) list.addIn(['sources'], list.createNode(listed));
  else list.set('sources', list.createNode([listed]));
  writeList(folder, list.toString());
  try {
    // Checks what the list says now.
    await readSourceList(folder);
    const code = await syncList(name, { ...flags, isAdding: true }, engines);
    if (leavesOut) tellLeftOut(folder, flags.index);
    return code;
  } catch (error) {
    if (before === null) rmSync(listFile(folder), { force: true });
    else writeList(folder, before);
    throw error;
  }
}

const ownFolder = (folder: string): InvalidArgumentError =>
  new InvalidArgumentError(`${folder} can't be a source of its own list.`, {
    reason: 'source_invalid',
    hint: `Its documents need no entry: pith index ${folder}. A line "include: []" in its ${MANIFEST_NAME} excludes them.`,
  });

const noFolder = (path: string): InvalidArgumentError =>
  new InvalidArgumentError(`${path} does not exist.`, {
    reason: 'folder_missing',
    hint: 'Correct the path, or give the address of a repository or a site, such as https://docs.example.com/.',
  });

const taken = (name: string, options: string): InvalidArgumentError =>
  new InvalidArgumentError(`The list has a source named "${name}" already.`, {
    reason: 'source_names_equal',
    hint: `Choose another name with --name, or remove that one: pith remove ${name}${options}`,
  });

/** `pith remove` */
export async function removeSource(name: string, flags: SyncFlags, engines: CommandEngines): Promise<number> {
  const folder = resolve(flags.folder);
  const sources = await readSourceList(folder);
  const { at, listed } = findSource(sources, name, placeOptions(folder, flags.index));
  const list = readList(folder);
  list.deleteIn(['sources', at]);
  writeList(folder, list.toString());
  const code = await syncList('', flags, engines);
  await userSources().remove(listed.source);
  return code;
}

function findSource(
  sources: readonly ListedSource[],
  name: string,
  options: string,
): { readonly at: number; readonly listed: ListedSource } {
  const at = sources.findIndex(({ source }) => source.name === name);
  const listed = sources[at];
  if (listed) return { at, listed };
  const names = sources.map(({ source }) => source.name).join(', ');
  throw new InvalidArgumentError(`The list has no source named "${name}".`, {
    reason: 'source_unknown',
    hint: names === '' ? `It has none yet. Add one: pith add ADDRESS${options}` : `It has: ${names}.`,
  });
}

/** `pith sources` */
export async function listSources({ json, ...flags }: SyncFlags): Promise<number> {
  const folder = resolve(flags.folder);
  const sources = await readSourceList(folder);
  const options = placeOptions(folder, flags.index);
  const store = userSources();
  const noted = readIndexSources(loadConfig(settingsFrom(flags)).index.file);
  const facts = sources.map((listed) =>
    advised(
      notedFacts(
        sourceFacts(listed, store.read(listed.source)),
        noted.find(({ name }) => name === listed.source.name),
      ),
      options,
    ),
  );
  const now = Date.now();
  if (json) print(JSON.stringify({ sources: facts.map((each) => withAge(each, now)) }));
  else if (facts.length === 0) print(`${folder} lists no sources. Add one: pith add ADDRESS${options}`);
  else
    print(
      ...facts.flatMap((each) => [...stateLine(each, now), ...refusedLines(each), ...leftOutLines(each)]),
      ...when(
        facts.some(({ left_out: left }) => left && left.skipped + left.unread.length > 0),
        `To list all of them: ${listingCommand(folder, flags.index)}`,
      ),
    );
  return facts.some(({ problem }) => problem !== null) ? EXIT.partial : EXIT.ok;
}

/** @returns also the seconds since the source was last asked; null if it never was */
function withAge(facts: SourceFacts, now: number): object {
  const checked = facts.checked_at === null ? null : Date.parse(facts.checked_at);
  return { ...facts, age_s: checked === null ? null : Math.max(0, Math.round((now - checked) / 1000)) };
}

const emptyList = (folder: string, index: string | undefined): InvalidArgumentError =>
  new InvalidArgumentError(`The list of sources in ${folder} is empty.`, {
    reason: 'sources_empty',
    hint: `Add one: pith add ADDRESS${placeOptions(folder, index)}. To index the folder itself, run pith index with it.`,
  });

/** `pith sync` @param only  the name of a source; '' for none, undefined for all */
export async function syncList(
  only: string | undefined,
  flags: SyncFlags & { readonly isAdding?: boolean },
  engines: CommandEngines,
): Promise<number> {
  const folder = resolve(flags.folder);
  const sources = await readSourceList(folder);
  if (only === undefined && sources.length === 0) throw emptyList(folder, flags.index);
  if (only !== undefined && only !== '') findSource(sources, only, placeOptions(folder, flags.index));
  const config = loadConfig(settingsFrom(flags));
  if (flags.dryRun) return dryRun(config, only, { ...flags, engines });
  const { report, facts, removed, seconds } = await indexSynced(config, [folder], {
    ...{ engines, only, acceptRemoval: flags.acceptRemoval, listOptions: placeOptions(folder, flags.index) },
    needsCopies: flags.isAdding,
  });
  const { file } = config.index;
  const shown = only === undefined ? facts : facts.filter(({ name }) => name === only);
  const lines = [
    ...shown.flatMap((each) => [...factsLines([each]), ...leftOutLines(each)]),
    ...removed.map((name) => `${name}: removed`),
    ...shortReportLines(report, { file, shown, listing: listingCommand(folder, flags.index) }, seconds),
  ];
  if (flags.json) print(reportJson(report, { file, engines: [], sources: facts, removed }, seconds));
  else print(...lines);
  return problemsIn(report).length > 0 || shown.some(({ problem }) => problem !== null)
    ? EXIT.partial
    : EXIT.ok;
}

async function dryRun(
  config: Config,
  only: string | undefined,
  { engines, ...flags }: SyncFlags & { readonly engines: CommandEngines },
): Promise<number> {
  const folder = resolve(flags.folder);
  const { facts, removed } = await planSynced(config, [folder], {
    ...{ engines, only, acceptRemoval: flags.acceptRemoval, listOptions: placeOptions(folder, flags.index) },
  });
  const shown = only === undefined ? facts : facts.filter(({ name }) => name === only);
  if (flags.json) print(JSON.stringify({ dry_run: true, sources: facts, removed_sources: removed }));
  else print(...factsLines(shown), ...removed.map((name) => `${name}: removed`), 'Nothing was changed yet.');
  return shown.some(({ problem }) => problem !== null) ? EXIT.partial : EXIT.ok;
}
