import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Config } from '../../config/config.js';
import type { CorpusPrompt, TaxonomyKey } from '../../core/corpus-facts.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { EmbedderProfile } from '../../core/ports/embedder.port.js';
import type { CorpusOptions } from '../../ingest/manifest/resolve-corpus.js';
import { isLost } from '../../ingest/missing-text.js';
import { listedPrompt } from '../../mcp/corpus-lists.js';
import type { SourceFacts } from '../../sources/sync-sources.js';
import { type Inventory, readInventory } from '../../sqlite/index/read-inventory.js';
import { readOwner } from '../../sqlite/index-file.js';
import { EXIT } from '../failures.js';
import { type IndexFlags, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { print } from '../print.js';
import { filledEngines, missingSettings } from '../reports/engine-places.js';
import { problemsIn, reportJson, reportLines, watchLine } from '../reports/report-lines.js';
import { factsLines } from '../reports/source-lines.js';
import { indexSynced, isSource, type SyncedRun } from '../running/index-synced.js';
import type { CommandEngines } from '../running/session.js';
import { endWithParent } from '../running/signals.js';
import { watchFolders } from '../running/watch-folders.js';

const COMMIT = /^[0-9a-f]{40}$/;

function readLine(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

function packedCommit(git: string, ref: string): string {
  const lines = readLine(join(git, 'packed-refs')).split('\n');
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? '';
}

/** The current commit of a folder's git checkout; null without a checkout, and for a linked worktree. */
export function gitCommit(folder: string): string | null {
  const git = join(folder, '.git');
  if (existsSync(join(git, 'HEAD'))) {
    const head = readLine(join(git, 'HEAD'));
    const [, ref] = /^ref: (refs\/.+)$/.exec(head) ?? [];
    const commit = ref === undefined ? head : readLine(join(git, ref)) || packedCommit(git, ref);
    return COMMIT.test(commit) ? commit : null;
  }
  return dirname(folder) === folder ? null : gitCommit(dirname(folder));
}

/** The version of the format, as tools for docs-mcp expect it; incompatible changes increase the first number. */
const METADATA_VERSION = '1.1.0';

function keyJson({ key, description, values }: TaxonomyKey, { declaration }: Inventory): object {
  const declared = Object.hasOwn(declaration.taxonomy, key) ? declaration.taxonomy[key] : undefined;
  const offered = declared?.isResource ? values : (declared?.resourceValues ?? []);
  const properties = Object.fromEntries(offered.map((value) => [value, { mcp_resource: true }]));
  const collapse = declared?.collapse ?? null;
  return {
    ...(description === null ? {} : { description }),
    values,
    ...(collapse === null ? {} : { vector_collapse: collapse }),
    ...(offered.length === 0 ? {} : { properties }),
  };
}

function promptJson(prompt: CorpusPrompt): object {
  const { messages } = prompt;
  const [only] = messages.length === 1 ? messages : [];
  return { ...listedPrompt(prompt), ...(only?.role === 'user' ? { template: only.template } : { messages }) };
}

/** Describes an index in the format of the `metadata.json` of docs-mcp. @param commit  40 hex digits, or null */
export function metadataJson(inventory: Inventory, embedder: EmbedderProfile, commit: string | null): object {
  const { declaration, taxonomy, documents, sections, indexedAt, hasVectors } = inventory;
  const { description, instructions, prompts } = declaration;
  const embedding = { provider: 'pith', model: embedder.name, dimensions: embedder.dimensions };
  return {
    metadata_version: METADATA_VERSION,
    corpus_description: description ?? 'Documentation corpus',
    taxonomy: Object.fromEntries(taxonomy.map((each) => [each.key, keyJson(each, inventory)])),
    stats: {
      total_chunks: sections,
      total_files: documents.length,
      indexed_at: indexedAt,
      source_commit: commit,
    },
    embedding: hasVectors ? embedding : null,
    files: Object.fromEntries(documents.map(({ path, title }) => [path, { title }])),
    ...(prompts.length === 0 ? {} : { prompts: prompts.map(promptJson) }),
    ...(instructions === null ? {} : { mcpServerInstructions: instructions }),
  };
}

const nothingToWatch = (): InvalidArgumentError =>
  new InvalidArgumentError('--watch watches folders, and none is given.', {
    reason: 'nothing_to_watch',
    hint: 'List the source in a .pith.yaml with `every`, and serve its folder: `pith http --docs FOLDER`.',
  });

interface MetadataPlace {
  /** The folder that was indexed. */
  readonly folder: string;
  readonly out: string;
}

async function writeMetadata(
  config: Config,
  profile: EmbedderProfile,
  { folder, out }: MetadataPlace,
): Promise<void> {
  const json = metadataJson(readInventory(config.index.file, profile), profile, gitCommit(resolve(folder)));
  try {
    await writeFile(out, `${JSON.stringify(json, null, 2)}\n`);
  } catch (error) {
    throw new InvalidArgumentError(`${out} can't be written.`, {
      reason: 'metadata_not_writable',
      hint: 'Give a path in an existing folder. The index itself is complete.',
      cause: error,
    });
  }
}

function corpusOptions(flags: IndexFlags): Omit<CorpusOptions, 'folder'> {
  const { project, environment, repository, siteUrl: siteUrls, origin, settings: settingsFile } = flags;
  // Without --no-ignore the manifest decides.
  const usesIgnoreFiles = flags.ignore ? undefined : false;
  return { project, environment, repository, siteUrls, usesIgnoreFiles, origin, settingsFile };
}

const problemLines = (facts: readonly SourceFacts[]): readonly string[] =>
  factsLines(facts.filter(({ problem }) => problem !== null));

/** The folders that lists name, outside of those that are watched anyway. */
const listedFolders = (facts: readonly SourceFacts[], watched: readonly string[]): string[] =>
  facts.flatMap(({ kind, address, state }) => {
    const isWatched = watched.some((folder) => `${address}${sep}`.startsWith(`${resolve(folder)}${sep}`));
    return kind === 'folder' && state !== 'failed' && !isWatched ? [address] : [];
  });

/** Runs again after changes. @param show  makes the line of a run; null for lines about what is new */
async function watchRuns(
  { folders, facts }: Pick<SyncedRun, 'folders' | 'facts'>,
  run: () => Promise<SyncedRun>,
  show: ((again: SyncedRun) => string) | null,
): Promise<void> {
  let known = problemLines(facts);
  await watchFolders([...folders, ...listedFolders(facts, folders)], async (changed) => {
    const again = await run();
    if (show) return print(show(again));
    const found = problemLines(again.facts);
    const line = watchLine(again.report, changed, again.seconds);
    const lines = [...found.filter((each) => !known.includes(each)), ...(line === null ? [] : [line])];
    print(...lines);
    known = found;
  });
}

/** `pith index` */
export async function indexFolders(
  args: readonly string[],
  flags: IndexFlags,
  engines: CommandEngines,
): Promise<number> {
  const config = loadConfig(settingsFrom(flags));
  const { file } = config.index;
  if (flags.origin !== undefined) endWithParent();
  if (flags.watch && args.every(isSource)) throw nothingToWatch();
  const run = async (rebuild = false, only?: string): Promise<SyncedRun> => {
    const done = await indexSynced(config, args, {
      ...{ engines, rebuild, only, corpus: corpusOptions(flags) },
      ...{ allowHost: flags.allowHost, secret: flags.secret, acceptRemoval: flags.acceptRemoval },
    });
    if (flags.metadataOut !== undefined)
      await writeMetadata(config, engines.configuredEmbedder(config).profile, {
        folder: done.folders[0] ?? '.',
        out: flags.metadataOut,
      });
    return done;
  };
  const { report, seconds, folders, facts } = await run(flags.rebuild);
  const settings = missingSettings(config, readOwner(file, engines.configuredEmbedder(config).profile));
  const places = { file, engines: filledEngines(config), settings };
  const lines = [...factsLines(facts), ...reportLines(report, places, seconds)];
  print(flags.json ? reportJson(report, { ...places, sources: facts }, seconds) : lines.join('\n'));
  if (flags.watch) {
    const show = ({ report, facts, seconds }: SyncedRun) =>
      reportJson(report, { ...places, sources: facts }, seconds);
    // A changed file is no reason to ask other sources.
    await watchRuns({ folders, facts }, () => run(false, ''), flags.json ? show : null);
    return EXIT.ok;
  }
  const isPartial = problemsIn(report).length > 0 || facts.some(({ problem }) => problem !== null);
  const isAllowed = flags.allowPartial && !report.remarks.some(isLost);
  return isPartial && !isAllowed ? EXIT.partial : EXIT.ok;
}
