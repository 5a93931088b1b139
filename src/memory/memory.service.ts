import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Call } from '../core/call.js';
import { InnerVoiceConfig } from '../config/settings/inner-voice.config.js';
import { ServerConfig } from '../config/settings/server.config.js';
import type { Reply } from '../core/reply.js';
import { admitsRow } from './recall/admits-row.js';
import { asMemoryFailure } from './rows/as-memory-failure.js';
import { figuresLine, rowsLine } from './recall/log-lines.js';
import { MemoryStore } from '../core/ports/memory-store.port.js';
import type { MemoryAnswer, MemoryQuery, ScoredRow } from '../core/ports/memory-store.port.js';
import { memoryReply } from './recall/memory-reply.js';
import type { HashedRow, MemoryOutput } from './recall/memory-reply.js';
import { pickRows } from './recall/pick-rows.js';
import type { PickedRows } from './recall/pick-rows.js';

/** What a caller asks for; what is undefined is as the server is configured. */
export interface MemoryRequest {
  readonly query: string;
  readonly topK?: number | undefined;
  readonly floor?: number | undefined;
  readonly mix?: number | undefined;
  readonly includePrivate: boolean;
  readonly includeTags: readonly string[] | null;
  readonly excludeTags: readonly string[];
  readonly halfLifeDays?: number | undefined;
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
}

/** Candidates for each slot: room for what the floor and repeats take away. */
const CANDIDATES_PER_SLOT = 3;

/** Finds what was noted and is like a question. */
@Injectable()
export class InnerVoiceService {
  private readonly logger = new Logger('inner_voice');

  constructor(
    @Inject(MemoryStore) private readonly store: MemoryStore | null,
    private readonly config: InnerVoiceConfig,
    private readonly server: ServerConfig,
  ) {}

  /** @throws BackendUnavailableError `embedder_unavailable`, `db_error` */
  async retrieve(call: Call, request: MemoryRequest): Promise<Reply<MemoryOutput>> {
    const startedAt = call.now();
    const { topK = this.config.topK, floor = this.config.floor, mix = this.config.mix } = request;
    const query = this.queryOf(request, topK, startedAt);
    const answer = admitted(await this.ask(query), query);
    const picked = pickRows(answer.candidates, { topK, floor, mix, minFloor: this.config.minFloor });
    const rows = await withHashes(picked.rows);
    const { provider, model, dim, matched, incomparable } = answer;
    const diagnostics = {
      ...{ provider, model, dim, k_req: topK },
      kg_candidates: matched.kg_entities + matched.kg_observations,
      thought_candidates: matched.thoughts,
      floor_used: picked.floorUsed,
      latency_ms: Math.max(0, Math.round(call.now() - startedAt)),
      ...emptiness(picked),
      ...(incomparable > 0 ? { incomparable } : {}),
    };
    return memoryReply(rows, diagnostics, (output) => this.note(output, floor));
  }

  private queryOf(request: MemoryRequest, topK: number, now: number): MemoryQuery {
    const { query, includePrivate, includeTags, excludeTags, halfLifeDays, createdFrom, createdTo } = request;
    return {
      text: query,
      perTable: Math.min(CANDIDATES_PER_SLOT * topK, this.config.maxCandidates),
      ...{ includePrivate, includeTags, excludeTags },
      createdFrom: createdFrom ?? null,
      createdTo: createdTo ?? null,
      halfLifeDays: halfLifeDays ?? null,
      now,
    };
  }

  private async ask(query: MemoryQuery): Promise<MemoryAnswer> {
    if (!this.store) throw new Error('inner_voice is enabled without a store');
    try {
      return await this.store.candidates(query);
    } catch (error) {
      throw asMemoryFailure(error);
    }
  }

  private note(output: MemoryOutput, floor: number): void {
    if (this.server.noLog) return;
    this.logger.log(figuresLine(output, floor));
    this.logger.debug(rowsLine(output));
  }
}

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

/** The hash function is loaded with the first snippet: most servers never need it. */
async function withHashes(rows: readonly ScoredRow[]): Promise<HashedRow[]> {
  if (rows.length === 0) return [];
  const { contentHash } = await import('./rows/content-hash.js');
  return rows.map((scored) => ({ ...scored, contentHash: contentHash(scored.row.text) }));
}

function emptiness({
  rows,
  candidateCount,
}: PickedRows): Pick<MemoryOutput['diagnostics'], 'no_results' | 'reason'> {
  if (rows.length > 0) return {};
  return { no_results: true, reason: candidateCount === 0 ? 'no_candidates' : 'floor_excluded_all' };
}
