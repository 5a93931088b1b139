import { Injectable } from '@nestjs/common';
import { readIndexSources } from '../config/index-sources.js';
import { ServerSecret } from '../config/server-secret.js';
import { BackendsConfig } from '../config/settings/backends.config.js';
import { IndexConfig } from '../config/settings/index.config.js';
import type { Call } from '../core/call.js';
import type { CorpusFacts } from '../core/corpus-facts.js';
import { decodeCursor, encodeCursor } from '../core/cursor.js';
import { type FacetCount, type IndexFacts } from '../core/ports/index-facts.js';
import { SectionIndex } from '../core/ports/section-index.port.js';
import { keptOf, listReply, type Reply, shownSkipped } from '../core/reply.js';
import { hidesSize, scopeAllows } from '../core/scope.js';
import { VERSION_KEY } from '../core/section.js';
import { encodePath } from '../core/section-id.js';
import { noteOrigin } from '../mcp/rendering/cautious-text.js';
import { shownTitle } from '../text/untrusted-text.js';
import { byNewestVersion } from '../text/version-name.js';
import type { ScopeDescription } from './describe-scope.schemas.js';

export interface Listing {
  readonly count: number;
  readonly cursor: string | null;
}

const MAX_FACETS = 50;

const toFacet = ({ value, documents, sections }: FacetCount) => ({ name: value, documents, sections });

const toRepository = (facet: FacetCount, { trace }: Call) => ({
  ...toFacet(facet),
  ...(trace.untrusted.has(facet.value) ? { trusted: false as const } : {}),
});

function shownFlags({ flagged }: IndexFacts, count: number): Pick<ScopeDescription, 'flagged'> {
  if (!flagged) return {};
  const first = flagged.first.slice(0, count).map(({ path, caution }) => ({
    path: encodePath(path),
    flags: caution.flags.map(({ line, reason }) => ({ line, reason })),
  }));
  return { flagged: { documents: flagged.count, first } };
}

/** The versions of documents, newest first; at most one more than are listed. */
function versionsIn({ taxonomy }: CorpusFacts): string[] {
  const names = taxonomy.find(({ key }) => key === VERSION_KEY)?.values ?? [];
  return [...names].sort(byNewestVersion).slice(0, MAX_FACETS + 1);
}

/** The sources whose documents a caller can see. */
function shownSources(indexFile: string, { repositories }: IndexFacts): Pick<ScopeDescription, 'sources'> {
  const visible = new Set(repositories.map(({ value }) => value));
  const sources = readIndexSources(indexFile)
    .filter(({ repository }) => visible.has(repository))
    .slice(0, MAX_FACETS)
    .map(({ name, checked_at, problem }) => ({
      name,
      checked_at,
      ...(problem === null ? {} : { failing: true as const }),
    }));
  return sources.length > 0 ? { sources } : {};
}

/** Describes what a caller can see. */
@Injectable()
export class DescribeScopeService {
  constructor(
    private readonly index: SectionIndex,
    private readonly signing: ServerSecret,
    private readonly backends: BackendsConfig,
    private readonly files: IndexConfig,
  ) {}

  /** @throws BackendUnavailableError */
  async describe(call: Call): Promise<Reply<ScopeDescription>> {
    const facts = await this.index.facts(call.scope, MAX_FACETS + 1);
    const versions = versionsIn(await this.index.corpus(call.scope));
    const { docTags, repositories, flagged } = facts;
    const most = Math.max(docTags.length, repositories.length, versions.length, flagged?.first.length ?? 0);
    return listReply({ count: Math.min(MAX_FACETS, most), maxChars: 0 }, ({ count, reason }) => ({
      ...this.shownFacts(call, facts),
      doc_tags: facts.docTags.slice(0, count).map(toFacet),
      repositories: facts.repositories.slice(0, count).map((each) => toRepository(each, call)),
      ...(versions.length > 0 ? { versions: versions.slice(0, count) } : {}),
      ...shownFlags(facts, count),
      ...shownSources(this.files.file, facts),
      partial: count < most,
      limit_reason: reason ?? (count < most ? 'page_size' : 'none'),
    }));
  }

  /** Lists documents instead of tags and repositories. @throws InvalidArgumentError for a bad cursor */
  async list(call: Call, { count, cursor }: Listing): Promise<Reply<ScopeDescription>> {
    const facts = await this.index.facts(call.scope, 1);
    const { principal } = call.caller;
    const binding = { question: ['scope.describe', call.scope], principal, generation: facts.generation };
    const offset = cursor === null ? 0 : decodeCursor(cursor, binding, this.signing.secret);
    const { documents } = await this.index.documents(call.scope, offset, count);
    const visible = documents.filter((document) => scopeAllows(call.scope, document));
    for (const document of visible) noteOrigin(call, document, [encodePath(document.path)]);
    const isPage = visible.length < facts.documents;
    // A page without documents is the last one, whatever was counted: its cursor would lead to itself.
    const isEnd = documents.length === 0;
    return listReply({ count: visible.length, maxChars: 0, isPage }, (fit) => {
      const next = offset + fit.count;
      const hasMore = !isEnd && next < facts.documents;
      return {
        ...this.shownFacts(call, facts),
        partial: hasMore || fit.reason !== null,
        limit_reason: fit.reason ?? (hasMore ? 'page_size' : 'none'),
        listed: keptOf(visible, fit).map(({ path, title, docTag }) => ({
          path: encodePath(path),
          title: shownTitle(title),
          doc_tag: docTag,
        })),
        next_cursor: hasMore ? encodeCursor(next, binding, this.signing.secret) : null,
        ...shownSkipped(fit),
      };
    });
  }

  private shownFacts(
    { caller }: Call,
    facts: IndexFacts,
  ): Omit<ScopeDescription, 'partial' | 'limit_reason'> {
    const { sections, graph } = this.backends;
    return {
      project_id: facts.projectId,
      environment: facts.environment,
      doc_tags: [],
      repositories: [],
      documents: facts.documents,
      sections: facts.sections,
      indexed_at: facts.indexedAt,
      index_bytes: hidesSize(caller.scopeLimit) ? 0 : facts.bytes,
      engines: graph === 'none' || graph === sections ? [sections] : [sections, graph],
    };
  }
}
