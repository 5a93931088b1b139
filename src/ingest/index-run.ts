import { createHash } from 'node:crypto';
import type { Remark } from '../core/indexed-document.js';
import { readSourceLine } from '../core/ports/index-source.js';
import type { OnStep, SeenFile, WriterState } from '../core/ports/index-writer.port.js';
import { antoraAttributesOf } from './antora-attributes.js';
import { ConverterThread } from './conversion/converter-thread.js';
import { IncludedFiles } from './includes/included-files.js';
import type { Corpus } from './manifest/resolve-corpus.js';
import type { DocumentRules } from './reading/document-metadata.js';
import { siteRulesOf } from './site-rules.js';
import { findSiteVersions } from './site-versions.js';
import type { FindPlace, TrailFile } from './trails/read-trails.js';
import type { FoundFile, PassedOver } from './walk-folder.js';

/** The coarsest clock of a file system, FAT's (ms). A file that changed later may change again without a new time. */
const TICK_MS = 2_000;

/**
 * The hashes of files by what the file system says about them, as Git's index has them. A file with the size, the times of
 * change and the inode of the last run has the same bytes, so it is not read again. (`ctime` can't be set by programs.)
 */
class SeenFiles {
  private readonly current = new Map<string, SeenFile>();
  private readonly digests = new Map<string, string>();

  /** @param before  from the last run */
  constructor(
    private readonly before: ReadonlyMap<string, SeenFile>,
    private readonly now: () => number,
  ) {}

  /** Stands for a file and everything else that its hash depends on. */
  stampOf({ stat }: FoundFile, rules: DocumentRules, trail: readonly string[]): string {
    const facts = JSON.stringify([rules, trail]);
    const digest = this.digests.get(facts) ?? createHash('sha256').update(facts).digest('base64url');
    this.digests.set(facts, digest);
    return `${stat} ${digest}`;
  }

  /** The entry of a file that has not changed since the last run. It is kept for the next run too. */
  find(path: string, stamp: string): SeenFile | undefined {
    const seen = this.before.get(path);
    if (seen?.stamp !== stamp) return undefined;
    this.current.set(path, seen);
    return seen;
  }

  /** Keeps the entry of a file that was read, unless the file changed a moment ago. */
  keep({ path, ctimeMs }: FoundFile, seen: SeenFile): void {
    if (ctimeMs < this.now() - TICK_MS) this.current.set(path, seen);
  }

  /** For the next run. */
  all(): ReadonlyMap<string, SeenFile> {
    return this.current;
  }
}

export interface IngestProgress {
  readonly done: number;
  readonly total: number;
  readonly path: string;
}

export interface IngestOptions {
  readonly rebuild: boolean;
  readonly maxFileBytes: number;
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number;
  readonly onProgress: (progress: IngestProgress) => void;
  /** Called for each step after all files are read. */
  readonly onStep?: OnStep;
  /** Called once, before the first file, when an existing index is rebuilt from scratch. */
  readonly onRebuild: (reason: string) => void;
}

/** The state of one run over a corpus: its input, and its findings so far. */
export interface IndexRun {
  readonly state: WriterState;
  readonly options: IngestOptions;
  readonly corpus: Corpus;
  /** True if the files are copies of the artifacts of a manifest. */
  readonly hasArtifacts: boolean;
  readonly present: Map<string, string>;
  /** Pages of the index whose files are there, but are left out by the settings now. */
  readonly leftOut: Set<string>;
  /** The prefixes of sources that have lost half of their pages, with the number of pages that they have now. */
  readonly held: Map<string, number>;
  /** Pages that keep their last version, but that nobody may see: their files seem to name groups. */
  readonly hidden: Set<string>;
  readonly skipped: PassedOver[];
  readonly remarks: Remark[];
  readonly unread: string[];
  /** Files other than documents that can tell where pages stand. */
  readonly navigation: TrailFile[];
  readonly included: IncludedFiles;
  readonly converter: ConverterThread;
  readonly seen: SeenFiles;
  placeOf: FindPlace;
  /** The version that a page's folder stands for. */
  versionOf: (path: string) => string | undefined;
  readonly siteRulesOf: ReturnType<typeof siteRulesOf>;
  readonly attributesOf: ReturnType<typeof antoraAttributesOf>;
  readonly siteVersion: ReturnType<typeof findSiteVersions>;
  readonly counts: { parsed: number; unchanged: number; resumed: number; ignored: number };
}

export function startRun(
  state: WriterState,
  corpus: Corpus,
  options: IngestOptions,
): Omit<IndexRun, 'hidden' | 'held'> {
  return {
    state,
    options,
    corpus,
    hasArtifacts: readSourceLine(corpus.settings.root).kind === 'manifest',
    counts: { parsed: 0, unchanged: 0, resumed: 0, ignored: 0 },
    included: new IncludedFiles(corpus.rules.rulesFor, corpus.rules.groups.listsFor),
    converter: new ConverterThread(),
    seen: new SeenFiles(state.seen, options.now ?? Date.now),
    placeOf: () => ({ trail: [], label: '' }),
    versionOf: () => undefined,
    siteRulesOf: siteRulesOf(),
    attributesOf: antoraAttributesOf(),
    siteVersion: findSiteVersions(),
    present: new Map(),
    leftOut: new Set(),
    skipped: [],
    unread: [],
    navigation: [],
    remarks: [...corpus.remarks],
  };
}

/** The pages of the index before a run, also of one that is rebuilt. */
export const pagesBefore = ({ published, replaced }: WriterState): ReadonlyMap<string, string> =>
  published.size > 0 ? published : replaced;

/** Keeps the version of the last run. */
export function keepLast(path: string, { state, present }: IndexRun): void {
  const before = state.published.get(path);
  if (before !== undefined) present.set(path, before);
}
