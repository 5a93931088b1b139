import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import type { Call } from '../../core/call.js';
import { BackendUnavailableError, BudgetExceededError, InvalidArgumentError } from '../../core/errors.js';
import { noteFreshStart } from '../../core/note-retrieval.js';
import { type IndexSource, readSourceLine, sourceLine } from '../../core/ports/index-source.js';
import { listReply, type Reply } from '../../core/reply.js';
import { narrowScope } from '../../core/scope.js';
import { isMissingText } from '../../ingest/missing-text.js';
import type { IndexRunReport } from '../../ingest/runs/index-processes.js';
import type { RetrievedEvidence } from '../../kb/evidence.schemas.js';
import { EvidenceService } from '../../kb/evidence/evidence.service.js';
import { RankSources } from '../../kb/search/rank-parts.js';
import type { CallProgress } from '../../mcp/call-reports.js';
import { plainLine, quotedLine } from '../../text/plain-line.js';
import { clipText } from '../../text/span.js';
import { NO_FENCE, type TextFence } from '../../text/untrusted-text.js';
import { canonicalArgument } from '../json-argument.js';
import { ListCursors, pageFound } from '../list-pages.js';
import { projectOf, refuseGroups, refuseLimited, seesAll } from '../work-space.js';
import { CorpusIndexes } from './corpus-indexes.js';
import {
  corpusElsewhere,
  corpusExists,
  CorpusStore,
  type NamedCorpus,
  unknownCorpus,
} from './corpus-store.js';
import { manifestFacts, manifestText } from './indexing/index.schemas.js';
import { growingProgress } from './indexing/ingest.service.js';
import { SourceService } from './indexing/source.service.js';
import {
  type CreatedKb,
  type CreateKbInput,
  type KbEntry,
  type KbListing,
  type ListKbsInput,
  MAX_CORPUS_NOTES,
  MAX_SETTINGS_BYTES,
  type QueryKbInput,
} from './knowledge.schemas.js';

/** Why a corpus is refused to callers who see only documents of some groups: its maker may have given it other groups. */
export const CORPORA_LACK_GROUPS = 'named corpora have no groups';

/** The corpus as this caller may see it. */
function kbEntry({ scope }: Pick<Call, 'scope'>, corpus: NamedCorpus): KbEntry {
  const { name, description, documents, sections } = corpus;
  const source = readSourceLine(corpus.source);
  const isWhole = seesAll(scope);
  return {
    name,
    description,
    ...(source.kind === 'folder' ? { folder: basename(source.path) } : manifestFacts(source)),
    documents: isWhole ? documents : null,
    sections: isWhole ? sections : null,
    created_by: corpus.createdBy,
    created_at: new Date(corpus.createdAt).toISOString(),
  };
}

/** One line about a corpus. Its description is text of a caller. */
export function kbLine(corpus: KbEntry, fence: TextFence = NO_FENCE): string {
  const { name, description, documents, folder = '' } = corpus;
  const from = manifestText(corpus) || `folder ${plainLine(folder)}`;
  const count = documents === null ? '' : `, ${documents} documents`;
  return `${name}: from ${from}${count}. ${description && fence(name, quotedLine(description))}`.trim();
}

/** Answers from named corpora, and lists them. */
@Injectable()
export class KnowledgeService {
  constructor(
    private readonly corpora: CorpusStore,
    private readonly indexes: CorpusIndexes,
    private readonly evidence: EvidenceService,
    private readonly signing: ServerSecret,
  ) {}

  /** @throws InvalidArgumentError `corpus_not_found`; ScopeViolationError, also `documents_limited`; BackendUnavailableError, also `corpora_busy` */
  async query(call: Call, { name, ...question }: QueryKbInput): Promise<Reply<RetrievedEvidence>> {
    refuseGroups(call, CORPORA_LACK_GROUPS);
    const { callerScope = call.scope } = call;
    const narrowed = { ...call, callerScope, scope: narrowScope(call.scope, question.scope) };
    const { id } = await this.find(call, name);
    call.trace.corpus = name;
    try {
      return await this.ask(narrowed, id, question);
    } catch (error) {
      if (!(error instanceof BackendUnavailableError && error.reason === 'index_missing')) throw error;
      // Without it, a server that builds no corpora would keep every index that was replaced.
      await this.indexes.sweep((each) => this.corpora.isNamed(each), call.now());
      // Another call has replaced the corpus meanwhile, or another server has built its index.
      const now = await this.find(call, name);
      if (now.id === id && !(await this.indexes.fetch(projectOf(call), id)))
        throw corpusElsewhere(name, error);
      noteFreshStart(narrowed);
      return this.ask(narrowed, now.id, question);
    }
  }

  /** @throws InvalidArgumentError for a bad cursor; ScopeViolationError `documents_limited` */
  async list(call: Call, { limit, cursor }: ListKbsInput): Promise<Reply<KbListing>> {
    refuseGroups(call, CORPORA_LACK_GROUPS);
    const space = projectOf(call);
    const cursors = new ListCursors(call, ['knowledge.kb_list'], this.signing);
    const offset = cursors.offsetOf(cursor);
    const found = await this.corpora.list(space, { offset, limit: limit + 1 });
    return cursors.reply(pageFound(found, offset, limit), (items, fields) => ({
      corpora: items.map((corpus) => kbEntry(call, corpus)),
      ...fields,
    }));
  }

  private async find(call: Call, name: string): Promise<NamedCorpus> {
    const corpus = await this.corpora.find(projectOf(call), name);
    if (!corpus) throw unknownCorpus(name);
    return corpus;
  }

  private ask(
    call: Call,
    id: string,
    question: Omit<QueryKbInput, 'name'>,
  ): Promise<Reply<RetrievedEvidence>> {
    return this.indexes.use(id, async ({ index, graph }) => {
      const { untrusted = [] } = await index.stamp();
      // The repositories that the settings of this corpus do not trust, not those of the server's own index.
      call.trace.untrusted = new Set(untrusted);
      return this.evidence.over(new RankSources(index, graph)).retrieve(call, question);
    });
  }
}

/** Longest path and reason of a note (characters). */
const MAX_NOTE_CHARS = 300;

/** The source of a new corpus, and the corpus of the same name that it replaces, if there is one. */
interface ReadyCorpus {
  readonly known: NamedCorpus | null;
  readonly source: IndexSource;
}

/** Builds named corpora. A corpus exists when its index is complete: the name is written last. */
@Injectable()
export class CreateKbService {
  constructor(
    private readonly corpora: CorpusStore,
    private readonly indexes: CorpusIndexes,
    private readonly sources: SourceService,
  ) {}

  /** @throws InvalidArgumentError `corpus_exists`, and those of `SourceService`; ScopeViolationError */
  async check(call: Call, { name, replace, source }: CreateKbInput): Promise<ReadyCorpus> {
    refuseLimited(call, 'a corpus contains all documents of its source');
    const known = await this.corpora.find(projectOf(call), name);
    if (known && !replace) throw corpusExists(name);
    return { known, source: await this.sources.choose(call, source) };
  }

  /**
   * @throws as `check`; InvalidArgumentError `json_invalid`; BackendUnavailableError, also `index_busy`;
   *   BudgetExceededError `corpora_full`
   */
  async create(
    call: Call,
    input: CreateKbInput,
    report: (progress: CallProgress) => void,
  ): Promise<Reply<CreatedKb>> {
    const { name, description, settings_json: json } = input;
    const settings = json === undefined ? null : canonicalArgument(json, 'settings_json', MAX_SETTINGS_BYTES);
    const { known, source } = await this.check(call, input);
    await this.indexes.sweep((each) => this.corpora.isNamed(each), call.now());
    const id = randomUUID();
    const built = await this.build(call, { id, source, settings }, report);
    const facts = { documents: built.documents, sections: built.sections };
    const made = { createdBy: call.caller.principal, createdAt: call.now() };
    const line = source.kind === 'folder' ? source.path : sourceLine(source);
    const corpus: NamedCorpus = { name, id, description, source: line, ...facts, ...made };
    await this.publish(call, corpus, known);
    return createdReply(call, corpus, built);
  }

  private async publish(call: Call, corpus: NamedCorpus, known: NamedCorpus | null): Promise<void> {
    try {
      await this.indexes.share(projectOf(call), corpus.id);
      await this.corpora.put(projectOf(call), corpus, known?.id ?? null);
    } catch (error) {
      // After other errors, it is unknown whether the name was stored. A later `sweep` removes the index without a name.
      const isRefused = error instanceof InvalidArgumentError || error instanceof BudgetExceededError;
      if (isRefused) await this.indexes.remove(corpus.id);
      throw error;
    }
    if (known) await this.indexes.remove(known.id);
  }

  private build(
    call: Call,
    task: { readonly id: string; readonly source: IndexSource; readonly settings: string | null },
    report: (progress: CallProgress) => void,
  ): Promise<IndexRunReport> {
    const { id, source, settings } = task;
    const { projectId: project, environment } = call.scope;
    const watch = { signal: call.signal, onProgress: growingProgress(report) };
    const origin = source.kind === 'manifest' ? source : null;
    const run = (more: { readonly settingsFile?: string }): Promise<IndexRunReport> =>
      this.sources.withFolder(call, { source, watch, isBusy: this.indexes.isBuilding }, (folder) =>
        this.indexes.build(id, { folder, origin, project, environment, ...more }, watch),
      );
    if (settings === null) return run({});
    return this.sources.withText(call, settings, (settingsFile) => run({ settingsFile }));
  }
}

function createdReply(call: Call, corpus: NamedCorpus, { seconds, skipped, remarks }: IndexRunReport) {
  const notes = [
    ...remarks.filter(isMissingText),
    ...skipped,
    ...remarks.filter((one) => !isMissingText(one)),
  ];
  const start = { count: Math.min(MAX_CORPUS_NOTES, notes.length), maxChars: 0 };
  return listReply(start, ({ count, reason }): CreatedKb => {
    const isPartial = count < notes.length;
    return {
      ...kbEntry(call, corpus),
      seconds,
      skipped_files: skipped.length,
      notes: notes.slice(0, count).map((note) => ({
        path: clipText(note.path, MAX_NOTE_CHARS),
        reason: clipText(note.reason, MAX_NOTE_CHARS),
      })),
      partial: isPartial,
      limit_reason: reason ?? (isPartial ? 'page_size' : 'none'),
    };
  });
}
