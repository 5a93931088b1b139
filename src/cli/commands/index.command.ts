import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { EmbedderProfile } from '../../core/ports/embedder.port.js';
import type { IngestReport } from '../../ingest/ingest-corpus.js';
import type { CorpusOptions } from '../../ingest/manifest/resolve-corpus.js';
import { readInventory } from '../../sqlite/index/read-inventory.js';
import { readOwner } from '../../sqlite/index-file.js';
import { EXIT } from '../failures.js';
import { type IndexFlags, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { metadataJson } from '../metadata-json.js';
import { filledEngines, missingSettings } from '../reports/engine-places.js';
import { reportJson, reportLines, watchLine } from '../reports/report-lines.js';
import { gitCommit } from '../running/git-commit.js';
import { runIndex } from '../running/run-index.js';
import type { CommandEngines } from '../running/session.js';
import { endWithParent } from '../running/signals.js';
import { watchFolders } from '../running/watch-folders.js';

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

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

function corpusOptions(folders: readonly string[], flags: IndexFlags): CorpusOptions {
  const { project, environment, repository, siteUrl: siteUrls, origin, settings: settingsFile } = flags;
  const [folder = '.', ...otherFolders] = folders;
  // Without --no-ignore the manifest decides.
  const usesIgnoreFiles = flags.ignore ? undefined : false;
  return {
    ...{ folder, otherFolders, project, environment, repository, siteUrls, usesIgnoreFiles, origin },
    settingsFile,
  };
}

/** `pith index` */
export async function indexFolders(
  folders: readonly string[],
  flags: IndexFlags,
  engines: CommandEngines,
): Promise<number> {
  const config = loadConfig(settingsFrom(flags));
  const options = corpusOptions(folders, flags);
  const { file } = config.index;
  if (flags.origin !== undefined) endWithParent();
  const run = async (rebuild = false): Promise<{ report: IngestReport; seconds: number }> => {
    const startedAt = performance.now();
    const report = await runIndex(config, options, { engines, rebuild });
    const seconds = (performance.now() - startedAt) / 1000;
    if (flags.metadataOut !== undefined)
      await writeMetadata(config, engines.configuredEmbedder(config).profile, {
        folder: options.folder,
        out: flags.metadataOut,
      });
    return { report, seconds };
  };
  const { report, seconds } = await run(flags.rebuild);
  const settings = missingSettings(config, readOwner(file, engines.configuredEmbedder(config).profile));
  const places = { file, engines: filledEngines(config), settings };
  print(flags.json ? reportJson(report, places, seconds) : reportLines(report, places, seconds).join('\n'));
  if (flags.watch) {
    await watchFolders(folders, async (changed) => {
      const again = await run();
      const line = flags.json
        ? reportJson(again.report, places, again.seconds)
        : watchLine(again.report, changed, again.seconds);
      if (line !== null) print(line);
    });
    return EXIT.ok;
  }
  return [...report.skipped, ...report.remarks].some(({ isProblem }) => isProblem) ? EXIT.partial : EXIT.ok;
}
