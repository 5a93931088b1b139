import type { Remark } from '../core/indexed-document.js';
import type { OnStep, WriterState } from '../core/ports/index-writer.port.js';
import { readSourceLine } from '../core/ports/work/index-source.js';
import { antoraAttributesOf } from './antora-attributes.js';
import { IncludedFiles } from './includes/included-files.js';
import type { Corpus } from './manifest/resolve-corpus.js';
import { SeenFiles } from './seen-files.js';
import { siteRulesOf } from './site-rules.js';
import type { TrailFile, TrailOf } from './trails/read-trails.js';
import type { PassedOver } from './walk-folder.js';

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

/** What one run over a corpus knows and has found so far. */
export interface IndexRun {
  readonly state: WriterState;
  readonly options: IngestOptions;
  readonly corpus: Corpus;
  /** True if the files are copies of the artifacts of a manifest. */
  readonly hasArtifacts: boolean;
  readonly present: Map<string, string>;
  readonly skipped: PassedOver[];
  readonly remarks: Remark[];
  readonly unread: string[];
  /** Files other than documents that can tell where pages stand. */
  readonly navigation: TrailFile[];
  readonly included: IncludedFiles;
  readonly seen: SeenFiles;
  trailOf: TrailOf;
  readonly siteRulesOf: ReturnType<typeof siteRulesOf>;
  readonly attributesOf: ReturnType<typeof antoraAttributesOf>;
  readonly counts: { parsed: number; unchanged: number; resumed: number; ignored: number };
}

export function startRun(state: WriterState, corpus: Corpus, options: IngestOptions): IndexRun {
  return {
    state,
    options,
    corpus,
    hasArtifacts: readSourceLine(corpus.settings.root).kind === 'manifest',
    counts: { parsed: 0, unchanged: 0, resumed: 0, ignored: 0 },
    included: new IncludedFiles(),
    seen: new SeenFiles(state.seen, options.now ?? Date.now),
    trailOf: () => [],
    siteRulesOf: siteRulesOf(),
    attributesOf: antoraAttributesOf(),
    present: new Map(),
    skipped: [],
    unread: [],
    navigation: [],
    remarks: [...corpus.remarks],
  };
}

/** Keeps the version of the last run. */
export function keepLast(path: string, { state, present }: IndexRun): void {
  const before = state.published.get(path);
  if (before !== undefined) present.set(path, before);
}
