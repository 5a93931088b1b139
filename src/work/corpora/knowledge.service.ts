import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import type { Call } from '../../core/call.js';
import { BackendUnavailableError } from '../../core/errors.js';
import { noteFreshStart } from '../../core/note-retrieval.js';
import { readSourceLine } from '../../core/ports/index-source.js';
import type { Reply } from '../../core/reply.js';
import { narrowScope } from '../../core/scope.js';
import type { RetrievedEvidence } from '../../kb/evidence.schemas.js';
import { EvidenceService } from '../../kb/evidence/evidence.service.js';
import { RankSources } from '../../kb/search/rank-parts.js';
import { plainLine, quotedLine } from '../../text/plain-line.js';
import { NO_FENCE, type TextFence } from '../../text/untrusted-text.js';
import { ListCursors, pageFound } from '../list-pages.js';
import { projectOf } from '../work-space.js';
import { CorpusIndexes } from './corpus-indexes.js';
import { CorpusStore, type NamedCorpus, unknownCorpus } from './corpus-store.js';
import { manifestFacts, manifestText } from './indexing/index.schemas.js';
import type { KbEntry, KbListing, ListKbsInput, QueryKbInput } from './knowledge.schemas.js';

/** The corpus as this caller may see it. */
export function kbEntry({ scope }: Pick<Call, 'scope'>, corpus: NamedCorpus): KbEntry {
  const { name, description, documents, sections } = corpus;
  const source = readSourceLine(corpus.source);
  const isWhole = scope.docTags === null && scope.repositories === null;
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

  /** @throws InvalidArgumentError `corpus_not_found`; ScopeViolationError; BackendUnavailableError, also `corpora_busy` */
  async query(call: Call, { name, ...question }: QueryKbInput): Promise<Reply<RetrievedEvidence>> {
    const { callerScope = call.scope } = call;
    const narrowed = { ...call, callerScope, scope: narrowScope(call.scope, question.scope) };
    const { id } = await this.find(call, name);
    call.trace.corpus = name;
    try {
      return await this.ask(narrowed, id, question);
    } catch (error) {
      if (!(error instanceof BackendUnavailableError && error.reason === 'index_missing')) throw error;
      // Another call has replaced the corpus meanwhile.
      const now = await this.find(call, name);
      if (now.id === id) throw error;
      noteFreshStart(narrowed);
      return this.ask(narrowed, now.id, question);
    }
  }

  /** @throws InvalidArgumentError for a bad cursor */
  async list(call: Call, { limit, cursor }: ListKbsInput): Promise<Reply<KbListing>> {
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
