import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { BackendsConfig } from '../../../config/settings/backends.config.js';
import { type Call, newTrace, type RetrievalTrace } from '../../../core/call.js';
import { BackendUnavailableError } from '../../../core/errors.js';
import { NOTHING_RANKED } from '../../../core/note-retrieval.js';
import { Embedder } from '../../../core/ports/embedder.port.js';
import { type IndexFacts } from '../../../core/ports/index-facts.js';
import { SectionIndex } from '../../../core/ports/section-index.port.js';
import { listReply, type Reply, wholeReply } from '../../../core/reply.js';
import { encodePath } from '../../../core/section-id.js';
import { collectWhyFacts } from '../../../diagnostics/why/collect-why-facts.js';
import { type Loss, type WhyFacts, whyMissing } from '../../../diagnostics/why/why-missing.js';
import { sayLoss } from '../../../diagnostics/why/why-words.js';
import { IndexRuns } from '../../../engines/index-runs.js';
import { retrieveInput } from '../../../kb/evidence.schemas.js';
import { EvidenceService } from '../../../kb/evidence/evidence.service.js';
import { sectionIdsOf } from '../../../kb/kb.schemas.js';
import { searchInput } from '../../../kb/search.schemas.js';
import { noteMissing } from '../../../kb/search/rank-parts.js';
import { SearchService } from '../../../kb/search/search.service.js';
import { noteOrigin } from '../../../mcp/rendering/cautious-text.js';
import { clipText } from '../../../text/span.js';
import { type ExplainInput, type Explanation, type IndexStatus, manifestFacts } from './index.schemas.js';

/** Reasons for which there is nothing to describe, as before the first run. */
const NOTHING_INDEXED: readonly string[] = ['index_missing', 'index_incompatible', 'indexing'];

function nullIfNothing(error: unknown): null {
  if (error instanceof BackendUnavailableError && NOTHING_INDEXED.includes(error.reason)) return null;
  throw error;
}

/** Describes the index of the server. Before the first index run, it says that there is no index. */
@Injectable()
export class IndexStatusService {
  constructor(
    private readonly index: SectionIndex,
    private readonly runs: IndexRuns,
    private readonly embedder: Embedder,
    private readonly backends: BackendsConfig,
  ) {}

  /** @throws BackendUnavailableError if an engine does not answer */
  async describe(call: Call, known: string | undefined): Promise<Reply<IndexStatus>> {
    const { projectId, environment } = call.scope;
    const facts = await this.index.facts(call.scope, 1).catch(nullIfNothing);
    const { name } = this.embedder.profile;
    const { sections, graph } = this.backends;
    const status: IndexStatus = {
      project_id: projectId,
      environment,
      ...builtOf(facts),
      ...(known === undefined ? {} : { changed: (facts?.generation ?? null) !== known }),
      engines: graph === 'none' || graph === sections ? [sections] : [sections, graph],
      embedder: name === 'none' ? null : name,
      is_running: this.runs.isRunning,
      source: facts && (await this.sourceFor(call)),
    };
    return wholeReply(status);
  }

  private async sourceFor({ caller }: Call): Promise<IndexStatus['source']> {
    const source = await this.runs.source();
    if (source?.kind === 'manifest') return { kind: 'manifest', ...manifestFacts(source) };
    if (source === null) return null;
    const { path } = source;
    return { kind: 'folder', name: basename(path), ...(caller.isLocal ? { path } : {}) };
  }
}

function builtOf(facts: IndexFacts | null) {
  return {
    generation: facts?.generation ?? null,
    documents: facts?.documents ?? 0,
    sections: facts?.sections ?? 0,
    indexed_at: facts?.indexedAt ?? null,
  };
}

/** Documents whose paths are compared with an unknown id; comparing more would delay other calls. */
const MAX_COMPARED = 2_000;
const MAX_OTHERS = 5;
const MAX_TERMS = 50;
const MAX_SAID_CHARS = 1_000;
const MAX_TERM_CHARS = 80;

/** Stands for the store of passages in `degraded`: a call that lacks it stores none. */
const SCRATCH = 'scratch';

/** Explains why a question does not find a section. Sections outside the scope of the call count as not indexed. */
@Injectable()
export class ExplainService {
  constructor(
    private readonly index: SectionIndex,
    private readonly searches: SearchService,
    private readonly evidence: EvidenceService,
  ) {}

  /** @throws BackendUnavailableError, also `index_busy` */
  async explain(call: Call, input: ExplainInput): Promise<Reply<Explanation>> {
    const { scope } = call;
    const { facts } = await collectWhyFacts(input.section_id, {
      index: this.index,
      scope,
      visible: scope,
      retrieve: async () => ({ retrieval: await this.retrieve(call, input) }),
      ids: () => this.paths(call),
    });
    if (facts.stored) noteOrigin(call, facts.stored.document, [facts.sectionId]);
    const losses = whyMissing(facts);
    const { asked, held } = facts.terms;
    const { degraded } = call.trace;
    return listReply({ count: losses.length, maxChars: 0 }, ({ count, reason }) => ({
      section_id: facts.sectionId,
      tool: input.tool,
      generation: facts.retrieval.rankings[0]?.generation ?? null,
      causes: losses.slice(0, count).map((loss) => shownLoss(loss, facts, input)),
      terms: { asked: bounded(asked), held: bounded(held) },
      ...(degraded.length > 0 ? { degraded: [...degraded] } : {}),
      partial: reason !== null,
      limit_reason: reason ?? 'none',
    }));
  }

  /** Runs the retrieval for its trace. It stores no passages and notes nothing as seen. */
  private async retrieve(call: Call, input: ExplainInput): Promise<RetrievalTrace> {
    const { untrusted, cautions } = call.trace;
    const trace = { ...newTrace(), untrusted, cautions, degraded: [SCRATCH], isDebug: true };
    const own = { ...call, trace };
    const shown = await (input.tool === 'kb.search' ? this.search(own, input) : this.quote(own, input));
    for (const part of trace.degraded) if (part !== SCRATCH) noteMissing(call.trace.degraded, part);
    return { ...(own.trace.retrieval ?? NOTHING_RANKED), ...shown };
  }

  private async search(call: Call, input: ExplainInput): Promise<Partial<RetrievalTrace>> {
    const { question: query, keywords, filters, top_k, max_per_doc } = input;
    const asked = { query, keywords, filters, top_k, page_size: top_k, options: { max_per_doc } };
    const { output } = await this.searches.search(call, searchInput.parse(asked));
    return { shown: sectionIdsOf(output.results) };
  }

  private async quote(call: Call, input: ExplainInput): Promise<Partial<RetrievalTrace>> {
    const { question, keywords, parts, filters, max_per_doc } = input;
    const asked = { question, keywords, parts, filters, options: { max_per_doc } };
    const { output } = await this.evidence.retrieve(call, retrieveInput.parse(asked));
    const answerable = { verdict: output.answerable, confidence: 0 };
    return { shown: sectionIdsOf(output.sources), answerable };
  }

  private async paths({ scope }: Call): Promise<string[]> {
    const { documents } = await this.index.documents(scope, 0, MAX_COMPARED);
    return documents.map(({ path }) => encodePath(path));
  }
}

const bounded = (terms: readonly string[]): string[] =>
  terms.slice(0, MAX_TERMS).map((term) => clipText(term, MAX_TERM_CHARS));

function shownLoss(loss: Loss, facts: WhyFacts, { tool }: ExplainInput): Explanation['causes'][number] {
  const { said, next } = sayLoss(loss, facts, tool);
  const known = loss.cause === 'not_indexed' ? 'No section in the scope of this call has this id.' : said;
  return {
    ...loss,
    others: loss.others.slice(0, MAX_OTHERS),
    said: clipText(known, MAX_SAID_CHARS),
    next: clipText(next, MAX_SAID_CHARS),
  };
}
