import { Inject, Injectable, Logger } from '@nestjs/common';
import { InnerVoiceConfig } from '../config/settings/inner-voice.config.js';
import { ServerConfig } from '../config/settings/server.config.js';
import type { Call } from '../core/call.js';
import { BackendUnavailableError } from '../core/errors.js';
import {
  type MemoryAnswer,
  type MemoryQuery,
  type MemoryRow,
  MemoryStore,
  type ScoredRow,
} from '../core/ports/memory-store.port.js';
import { type Fit, keptOf, listReply, type Reply } from '../core/reply.js';
import { wholeOffset } from '../text/span.js';
import type { MemoryInput, MemoryOutput, RetrievalFigures, Snippet } from './memory.schemas.js';
import { type PickedRows, pickRows } from './recall/pick-rows.js';
import { provenanceOf } from './rows/provenance.js';

/** Longest snippet, in UTF-16 units. */
const MAX_SNIPPET_CHARS = 800;

/** Earliest cut at a sentence end, as a share of the limit (600 of 800); an earlier one would lose too much text. */
const EARLIEST = 0.75;
/** Upper bound for the UTF-16 units of a readable character. */
const LONGEST_CHARACTER = 64;

/** Moves an offset to the left if it is inside a visible character (grapheme). */
function wholeCharacter(text: string, at: number): number {
  const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const start = characters.segment(text.slice(0, at + LONGEST_CHARACTER)).containing(at)?.index ?? at;
  return at - start < LONGEST_CHARACTER ? start : wholeOffset(text, at);
}

/** Where to cut a text, in UTF-16 units: after a sentence in the last quarter of the limit, else near the limit. */
export function capOffset(text: string, limit = MAX_SNIPPET_CHARS): number {
  if (text.length <= limit) return text.length;
  const ends = [...text.slice(0, limit + 1).matchAll(/[.!?](?=\s)/g)].map(({ index }) => index + 1);
  const last = ends.at(-1) ?? 0;
  return last >= limit * EARLIEST ? last : wholeCharacter(text, limit);
}

/** A selected row and the hash of its content. */
interface HashedRow extends ScoredRow {
  readonly contentHash: string;
}

function toSnippet({ row, score, contentHash }: HashedRow, maxChars: number): Snippet {
  const end = capOffset(row.text, maxChars);
  return {
    id: row.id,
    table: row.table,
    ...provenanceOf(row),
    created_at: row.createdAt,
    text: row.text.slice(0, end),
    score,
    content_hash: contentHash,
    span_start: 0,
    span_end: end,
  };
}

/** A reply that drops its lowest-ranked snippets first if it is too large. */
function memoryReply(
  rows: readonly HashedRow[],
  diagnostics: Omit<RetrievalFigures, 'k_ret'>,
  shown: (output: MemoryOutput) => void,
): Reply<MemoryOutput> {
  const build = (fit: Fit): MemoryOutput => {
    const snippets = keptOf(rows, fit).map((row) => toSnippet(row, fit.maxChars));
    return {
      snippets,
      diagnostics: inOrder(diagnostics, snippets.length),
      ...(fit.reason === null ? {} : { partial: true, limit_reason: fit.reason }),
    };
  };
  return { ...listReply({ count: rows.length, maxChars: MAX_SNIPPET_CHARS }, build), shown };
}

function inOrder(
  { provider, model, dim, k_req, ...rest }: Omit<RetrievalFigures, 'k_ret'>,
  k_ret: number,
): RetrievalFigures {
  return { provider, model, dim, k_req, k_ret, ...rest };
}

/** Over-fetch factor: floor and duplicates remove candidates. */
const CANDIDATES_PER_SLOT = 3;

@Injectable()
export class MemoryService {
  private readonly logger = new Logger('inner_voice');

  constructor(
    @Inject(MemoryStore) private readonly store: MemoryStore | null,
    private readonly config: InnerVoiceConfig,
    private readonly server: ServerConfig,
  ) {}

  /** @throws BackendUnavailableError `embedder_unavailable`, `db_error` */
  async retrieve(call: Call, input: MemoryInput): Promise<Reply<MemoryOutput>> {
    const startedAt = call.elapsed();
    const { top_k: topK = this.config.topK, floor = this.config.floor, mix = this.config.mix } = input;
    const query = { ...this.queryOf(call, input, topK), now: call.now() };
    const answer = admitted(await this.ask(query), query);
    const picked = pickRows(answer.candidates, { topK, floor, mix, minFloor: this.config.minFloor });
    const rows = await withHashes(picked.rows);
    const { provider, model, dim, matched, incomparable } = answer;
    const diagnostics = {
      ...{ provider, model, dim, k_req: topK },
      kg_candidates: matched.kg_entities + matched.kg_observations,
      thought_candidates: matched.thoughts,
      floor_used: picked.floorUsed,
      latency_ms: Math.round(call.elapsed() - startedAt),
      ...emptiness(picked),
      ...(incomparable > 0 ? { incomparable } : {}),
    };
    return memoryReply(rows, diagnostics, (output) => this.note(output, floor));
  }

  private queryOf({ caller }: Call, input: MemoryInput, topK: number): Omit<MemoryQuery, 'now'> {
    return {
      text: input.query,
      perTable: Math.min(CANDIDATES_PER_SLOT * topK, this.config.maxCandidates),
      includePrivate: input.include_private,
      includeTags: input.include_tags ?? null,
      ownTag: caller.memoryTag,
      excludeTags: input.exclude_tags,
      createdFrom: input.created_after ?? null,
      createdTo: input.created_before ?? null,
      halfLifeDays: input.recency_half_life_days ?? null,
    };
  }

  private async ask(query: MemoryQuery): Promise<MemoryAnswer> {
    if (!this.store) throw new Error('inner_voice is enabled without a store');
    try {
      return await this.store.candidates(query);
    } catch (error) {
      throw withContractReason(error);
    }
  }

  private note(output: MemoryOutput, floor: number): void {
    if (this.server.noLog) return;
    this.logger.log(figuresLine(output, floor));
    // Ids of the returned rows, never their text.
    const ids = output.snippets.map(({ table, id }) => `${table}/${id}`);
    this.logger.debug(`snippets: ${ids.join(' ') || 'none'}`);
  }
}

/** Drops rows that the query does not allow, in case a store returned them. */
function admitted(answer: MemoryAnswer, query: MemoryQuery): MemoryAnswer {
  const { thoughts, kg_entities, kg_observations } = answer.candidates;
  const only = (rows: readonly ScoredRow[]): ScoredRow[] => rows.filter(({ row }) => admitsRow(query, row));
  const candidates = {
    thoughts: only(thoughts),
    kg_entities: only(kg_entities),
    kg_observations: only(kg_observations),
  };
  return { ...answer, candidates };
}

function admitsRow(query: MemoryQuery, row: MemoryRow): boolean {
  const { includePrivate, includeTags, excludeTags, ownTag } = query;
  if (ownTag !== null && !row.tags.includes(ownTag)) return false;
  if (row.isPrivate && !includePrivate) return false;
  if (row.tags.some((tag) => excludeTags.includes(tag))) return false;
  return includeTags === null || row.tags.some((tag) => includeTags.includes(tag));
}

/** Maps a failure to a reason of the tool's contract: `embedder_unavailable` is kept, all others become `db_error`. */
function withContractReason(error: unknown): unknown {
  if (!(error instanceof BackendUnavailableError)) return error;
  const { message, hint, details, cause, reason } = error;
  if (reason === 'embedder_unavailable' || reason === 'db_error') return error;
  return new BackendUnavailableError(message, {
    reason: 'db_error',
    hint,
    details: { ...details, backend: reason },
    cause,
  });
}

/** The log line of a call at level info: figures, never content. */
function figuresLine({ diagnostics }: MemoryOutput, floor: number): string {
  const { provider, model, dim, k_req, floor_used, kg_candidates, thought_candidates, k_ret, latency_ms } =
    diagnostics;
  const figures = { dim, k_req, floor, floor_used, kg_candidates, thought_candidates, k_ret, latency_ms };
  const names = [`provider=${provider}`, `model=${model}`];
  return [...names, ...Object.entries(figures).map(([name, value]) => `${name}=${value}`)].join(' ');
}

/** Loads the hash function with the first snippet, since most servers never need it. */
async function withHashes(rows: readonly ScoredRow[]): Promise<HashedRow[]> {
  if (rows.length === 0) return [];
  const { hashContent } = await import('./rows/normalise-content.js');
  return rows.map((scored) => ({ ...scored, contentHash: hashContent(scored.row.text) }));
}

function emptiness({ rows, candidateCount }: PickedRows): Pick<RetrievalFigures, 'no_results' | 'reason'> {
  if (rows.length > 0) return {};
  return { no_results: true, reason: candidateCount === 0 ? 'no_candidates' : 'floor_excluded_all' };
}
