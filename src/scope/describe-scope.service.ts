import { Injectable } from '@nestjs/common';
import type { Call } from '../call.js';
import { SectionIndex } from '../kb/section-index.port.js';
import type { FacetCount } from '../kb/section-index.port.js';
import { listReply } from '../reply.js';
import type { LimitReason, Reply } from '../reply.js';

interface Facet {
  readonly name: string;
  readonly documents: number;
  readonly sections: number;
}

export interface ScopeDescription {
  readonly project_id: string;
  readonly environment: string;
  readonly doc_tags: readonly Facet[];
  readonly repositories: readonly Facet[];
  readonly documents: number;
  readonly sections: number;
  readonly indexed_at: string;
  readonly index_bytes: number;
  readonly engines: readonly string[];
  /** Whether there are more tags or repositories than are listed. */
  readonly partial: boolean;
  readonly limit_reason: LimitReason;
}

const MAX_FACETS = 50;

const toFacet = ({ value, documents, sections }: FacetCount): Facet => ({ name: value, documents, sections });

/** Tells a caller what it can see. */
@Injectable()
export class DescribeScopeService {
  constructor(private readonly index: SectionIndex) {}

  /** @throws BackendUnavailableError */
  async describe(call: Call): Promise<Reply<ScopeDescription>> {
    const facts = await this.index.facts(call.scope, MAX_FACETS + 1);
    const most = Math.max(facts.docTags.length, facts.repositories.length);
    return listReply({ count: Math.min(MAX_FACETS, most), maxChars: 0 }, ({ count, reason }) => ({
      project_id: facts.projectId,
      environment: facts.environment,
      doc_tags: facts.docTags.slice(0, count).map(toFacet),
      repositories: facts.repositories.slice(0, count).map(toFacet),
      documents: facts.documents,
      sections: facts.sections,
      indexed_at: facts.indexedAt,
      index_bytes: facts.bytes,
      engines: ['sqlite'],
      partial: count < most,
      limit_reason: reason ?? (count < most ? 'page_size' : 'none'),
    }));
  }
}
