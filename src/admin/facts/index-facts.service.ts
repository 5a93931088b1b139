import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import { hidesSize, type ScopeLimit } from '../../core/scope.js';
import { AnsweringParts, ServerFacts } from '../admin-parts.js';

const MAX_FACETS = 200;

export type IndexReport = Awaited<ReturnType<IndexFactsService['report']>>;

/** Reports facts about the index to operators. */
@Injectable()
export class IndexFactsService {
  constructor(
    private readonly server: ServerFacts,
    private readonly parts: AnsweringParts,
  ) {}

  /** @param limit  the largest scope of the operator @throws ScopeViolationError; BackendUnavailableError */
  async report(limit: ScopeLimit) {
    const { config, now } = this.server;
    const { index, graph, scopes } = this.parts;
    const scope = await scopes.resolve(undefined, now(), limit);
    const facts = await index.facts(scope, MAX_FACETS + 1);
    return {
      file: resolve(config.index.file),
      project_id: facts.projectId,
      environment: facts.environment,
      generation: facts.generation,
      indexed_at: facts.indexedAt,
      documents: facts.documents,
      sections: facts.sections,
      /** Size of the file; 0 for an operator who may see only some of the documents. */
      bytes: hidesSize(limit) ? 0 : facts.bytes,
      doc_tags: facts.docTags.slice(0, MAX_FACETS),
      repositories: facts.repositories.slice(0, MAX_FACETS),
      is_cut: Math.max(facts.docTags.length, facts.repositories.length) > MAX_FACETS,
      embedder: config.models.embedder,
      graph: { enabled: graph !== null, engine: config.backends.graph },
      /** A null list means no restriction. */
      scope: { doc_tags: scope.docTags, repositories: scope.repositories },
    };
  }
}
