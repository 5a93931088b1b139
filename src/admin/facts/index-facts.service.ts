import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { FacetCount, IndexFacts } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import { AnsweringParts, ServerFacts } from '../admin-parts.js';

const MOST_FACETS = 200;

/** Facts about the index that the server searches. */
export interface IndexReport {
  readonly file: string;
  readonly project_id: string;
  readonly environment: string;
  readonly generation: string;
  readonly indexed_at: string;
  readonly documents: number;
  readonly sections: number;
  /** Of the whole file. */
  readonly bytes: number;
  readonly doc_tags: readonly FacetCount[];
  readonly repositories: readonly FacetCount[];
  /** True if there are more tags or repositories than these. */
  readonly is_cut: boolean;
  readonly embedder: string;
  readonly graph: { readonly enabled: boolean; readonly engine: string };
  /** The server's scope; a null list means no restriction. All counts are within this scope; `bytes` is not. */
  readonly scope: {
    readonly doc_tags: readonly string[] | null;
    readonly repositories: readonly string[] | null;
  };
}

/** Reports facts about the index to operators. */
@Injectable()
export class IndexFactsService {
  constructor(
    private readonly server: ServerFacts,
    private readonly parts: AnsweringParts,
  ) {}

  /** @throws BackendUnavailableError */
  async tell(): Promise<IndexReport> {
    const { index, scopes } = this.parts;
    const scope = await scopes.resolve(undefined, this.server.now());
    return this.report(await index.facts(scope, MOST_FACETS + 1), scope);
  }

  private report(facts: IndexFacts, { docTags, repositories }: Scope): IndexReport {
    const { index, models, backends } = this.server.config;
    return {
      file: resolve(index.file),
      project_id: facts.projectId,
      environment: facts.environment,
      generation: facts.generation,
      indexed_at: facts.indexedAt,
      documents: facts.documents,
      sections: facts.sections,
      bytes: facts.bytes,
      doc_tags: facts.docTags.slice(0, MOST_FACETS),
      repositories: facts.repositories.slice(0, MOST_FACETS),
      is_cut: Math.max(facts.docTags.length, facts.repositories.length) > MOST_FACETS,
      embedder: models.embedder,
      graph: { enabled: this.parts.graph !== null, engine: backends.graph },
      scope: { doc_tags: docTags, repositories },
    };
  }
}
