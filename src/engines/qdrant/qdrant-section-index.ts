import { choosesResources } from '../../core/corpus-declaration.js';
import type { CorpusFacts } from '../../core/corpus-facts.js';
import type { Embedder } from '../../core/ports/embedder.port.js';
import { type IndexFacts, type IndexStamp } from '../../core/ports/index-facts.js';
import {
  type ListedDocuments,
  type QuotingSection,
  type SearchAnswer,
  SectionIndex,
  type SectionNeighbours,
  type SectionQuery,
  type SoughtQuote,
  type StoredSections,
} from '../../core/ports/section-index.port.js';
import { type Scope, scopeAllows, type SeenScope } from '../../core/scope.js';
import type { TitleMemo } from '../../kb/search/score-hits.js';
import { answerLater } from '../../kb/search/search-engine.js';
import { searchFlow } from '../../kb/search/search-flow.js';
import { findQuote, findReadQuote, quoteTerms } from '../../text/quotes/find-quote.js';
import { GenerationMemo, type KnownGeneration } from './known-generation.js';
import { byCodePoint, LiveCollection, type View } from './live-collection.js';
import { aliasOf } from './names.js';
import { payloadSection } from './points.js';
import type { QdrantConnection, Search } from './qdrant-connection.js';
import {
  readCorpus,
  readFacts,
  readFlagged,
  readListed,
  readNeighbours,
  readOffered,
  readSections,
  readWhole,
} from './read-documents.js';
import { QdrantSearchEngine } from './search/qdrant-search-engine.js';
import { askForTerms } from './search/sparse-terms.js';
import { pointsOf, visibleConditions } from './search/visible-points.js';
import { scopeIn } from './stamp.js';

/** Sections whose text is compared. Only a quote of words that more sections contain has more. */
const MAX_COMPARED = 1_000;
/** Words that a section must contain to be compared; the rarest. */
const MAX_WORDS = 4;

/** Finds a quote: the sections with its rarest words first, then the text itself in these. */
async function findQuoting(
  { view, known }: { readonly view: View; readonly known: KnownGeneration },
  scope: SeenScope,
  { text, path }: SoughtQuote,
): Promise<Omit<QuotingSection, 'generation'>> {
  const sectionsWith = (term: string): number => known.vocabulary.sectionsWith(term);
  const terms = quoteTerms(text).sort((a, b) => sectionsWith(a) - sectionsWith(b));
  const [rarest] = terms;
  if (rarest === undefined) return { found: null, isComplete: false };
  if (sectionsWith(rarest) === 0) return { found: null, isComplete: true };
  const filter = pointsOf('section', visibleConditions(scope));
  // Each search is limited to the sections that the one before it has found.
  const of = (term: string): Search => {
    return { query: askForTerms([term]), using: 'bm25', filter, limit: MAX_COMPARED };
  };
  const others = terms.slice(1, MAX_WORDS);
  const search = others.reduce((before, term) => ({ ...of(term), prefetch: [before] }), of(rarest));
  const { found: answers } = await view.batch([of(rarest), { ...search, with_payload: true }]);
  const [withRarest = [], withAll = []] = answers;
  const sections = withAll
    .map(({ payload }) => payloadSection(payload))
    .filter(({ document }) => scopeAllows(scope, document))
    .sort(
      (a, b) =>
        Number(b.document.path === path) - Number(a.document.path === path) ||
        byCodePoint(a.document.path, b.document.path) ||
        a.section.ordinal - b.section.ordinal,
    );
  const first = (find: typeof findQuote) =>
    sections.find(({ section }) => find(section.text, text).length > 0);
  const found = first(findQuote) ?? first(findReadQuote) ?? null;
  return { found, isComplete: found !== null || withRarest.length < MAX_COMPARED };
}

/** Maximum number of scopes whose taxonomy is cached; a server has few. */
const MAX_SCOPES = 64;

interface QdrantIndexOptions extends Pick<IndexStamp, 'projectId' | 'environment'> {
  /** The embedder that the index was built with. The profile of a model may be incomplete before its first response. */
  readonly embedder: Embedder;
}

/** One generation, with the scope of a caller in it. */
interface Reading {
  readonly view: View;
  readonly seen: SeenScope;
  readonly generation: string;
}

/** Finds sections in the live collection of a project and environment. */
export class QdrantSectionIndex extends SectionIndex {
  private readonly embedder: Embedder;
  private readonly live: LiveCollection;
  private readonly memo: GenerationMemo;
  private readonly titles: TitleMemo = new Map();

  constructor(connection: QdrantConnection, { projectId, environment, embedder }: QdrantIndexOptions) {
    super();
    const alias = aliasOf(projectId, environment);
    this.live = new LiveCollection(connection, { alias, embedder });
    this.embedder = embedder;
    this.memo = new GenerationMemo(embedder);
  }

  stamp(): Promise<IndexStamp> {
    return this.live.answer(null, async (view) => {
      await view.stamp();
      const { stamp, groups } = await this.memo.stampOf(view);
      const { generation, projectId, environment, indexedAt, untrusted } = stamp;
      const lists = { ...(untrusted ? { untrusted } : {}), ...(groups ? { groups } : {}) };
      return { generation, projectId, environment, indexedAt, ...lists };
    });
  }

  search(query: SectionQuery): Promise<SearchAnswer> {
    return this.withKnown(query.scope, async ({ view, seen }, known) => {
      const open = { view, known, profile: this.embedder.profile, titles: this.titles };
      const engine = await QdrantSearchEngine.forQuery({ ...query, scope: seen }, open);
      return answerLater(searchFlow(query, engine));
    });
  }

  sections(scope: Scope, ids: readonly string[]): Promise<StoredSections> {
    return this.seeing(scope, async ({ view, seen, generation }) => {
      return { generation, sections: ids.length > 0 ? await readSections(view, seen, ids) : [] };
    });
  }

  quoting(scope: Scope, quote: SoughtQuote): Promise<QuotingSection> {
    return this.withKnown(scope, async ({ view, seen, generation }, known) => {
      return { generation, ...(await findQuoting({ view, known }, seen, quote)) };
    });
  }

  neighbours(scope: Scope, id: string, context: number): Promise<SectionNeighbours | null> {
    return this.seeing(scope, async ({ view, seen, generation }) => {
      const found = await readNeighbours(view, seen, { id, context });
      return found && { generation, ...found };
    });
  }

  facts(scope: Scope, facetLimit: number): Promise<IndexFacts> {
    return this.seeing(scope, async ({ view, seen }) => {
      const facts = await readFacts(view, seen, facetLimit);
      const flagged = await readFlagged(view, seen);
      return flagged ? { ...facts, flagged } : facts;
    });
  }

  corpus(scope: Scope): Promise<CorpusFacts> {
    return this.withKnown(scope, async ({ view, seen }, known) => {
      const key = JSON.stringify([seen.docTags, seen.repositories, seen.seenLists]);
      const remembered = known.corpora.get(key);
      if (remembered) return remembered;
      // Checked first: a settled collection stays settled, because live collections are never written.
      const isSettled = await view.isSettled();
      const found = await readCorpus(view, seen, known);
      if (!isSettled) return found;
      if (known.corpora.size >= MAX_SCOPES) known.corpora.clear();
      known.corpora.set(key, found);
      return found;
    });
  }

  documents(scope: Scope, offset: number, limit: number): Promise<ListedDocuments> {
    return this.seeing(scope, async ({ view, seen, generation }) => {
      return { generation, documents: await readListed(view, seen, { offset, limit }) };
    });
  }

  resources(scope: Scope, after: string | null, limit: number): Promise<ListedDocuments> {
    return this.withKnown(scope, async ({ view, seen, generation }, { declaration }) => {
      const isChosen = choosesResources(declaration);
      return { generation, documents: await readOffered(view, seen, { isChosen, after, limit }) };
    });
  }

  resource(scope: Scope, path: string): Promise<StoredSections | null> {
    return this.withKnown(scope, async ({ view, seen, generation }, { declaration }) => {
      const sections = await readWhole(view, seen, { isChosen: choosesResources(declaration), path });
      return sections && { generation, sections };
    });
  }

  async close(): Promise<void> {
    // Running requests end by themselves, and idle connections do not keep the process alive.
  }

  private seeing<T>(scope: Scope, work: (reading: Reading) => Promise<T>): Promise<T> {
    return this.live.answer(this.memo.generation, async (view) => {
      const read = await this.memo.stampOf(view);
      return work({ view, seen: scopeIn(read, scope), generation: read.stamp.generation });
    });
  }

  private withKnown<T>(
    scope: Scope,
    work: (reading: Reading, known: KnownGeneration) => Promise<T>,
  ): Promise<T> {
    return this.seeing(scope, async (reading) => work(reading, await this.memo.of(reading.view)));
  }
}
