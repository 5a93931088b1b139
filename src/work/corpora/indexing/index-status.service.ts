import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { BackendsConfig } from '../../../config/settings/backends.config.js';
import type { Call } from '../../../core/call.js';
import { BackendUnavailableError } from '../../../core/errors.js';
import { Embedder } from '../../../core/ports/embedder.port.js';
import { type IndexFacts } from '../../../core/ports/index-facts.js';
import { SectionIndex } from '../../../core/ports/section-index.port.js';
import { type Reply, wholeReply } from '../../../core/reply.js';
import { IndexRuns } from '../../../engines/index-runs.js';
import { type IndexStatus, manifestFacts } from './index.schemas.js';

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
