import { type Call, Decisions, newTrace, UNCORRELATED } from '../../src/core/call.js';
import type { CorpusFacts } from '../../src/core/corpus-facts.js';
import { GENERIC_PROFILE } from '../../src/core/host-profile.js';
import { type IndexFacts, type IndexStamp } from '../../src/core/ports/index-facts.js';
import type { Passage, ScratchOwner } from '../../src/core/ports/scratch-store.port.js';
import {
  type AskedWords,
  type Candidate,
  type ListedDocuments,
  type QuotingSection,
  type SearchAnswer,
  SectionIndex,
  type SectionNeighbours,
  type SectionQuery,
  type SoughtQuote,
  type StoredSections,
} from '../../src/core/ports/section-index.port.js';
import type { QueryPart, Ranking } from '../../src/core/ranking.js';
import type { Scope } from '../../src/core/scope.js';
import type { DocumentFacts, Section } from '../../src/core/section.js';
import { readStructure } from '../../src/ingest/structure/read-units.js';
import type { Span } from '../../src/text/span.js';
import type { Unit } from '../../src/text/units.js';

/** 2026-01-01T00:00:00Z, the time of every built call. */
export const NOW = Date.UTC(2026, 0, 1);

/** A secret that is long enough to sign with. */
export const SECRET = 'a secret of at least thirty-two characters';

/** A filter that matches everything. */
export const NO_FILTER = { docTags: null, pathPrefix: null, updatedAfter: null };

/** A sentence on its own. */
export function aUnit(span: Span): Unit {
  return {
    ...span,
    ...{ kind: 'sentence', isHeader: false, lead: 0, tail: 0, needs: [], ends: [], announcesTo: null },
    ...{ isFenced: false, isCloser: false, isInBlock: false, isInRecord: false },
  };
}

/** Adds the structure of a text, as the index stores it, unless it is given. */
export function withStructure<T extends { readonly text: string; readonly structure?: string }>(
  of: T,
): T & { readonly structure: string } {
  return { ...of, structure: of.structure ?? readStructure(of.text) };
}

export function aSection(overrides: Partial<Section> = {}): Section {
  return withStructure({
    id: 'guide.md#use',
    ordinal: 0,
    title: 'Use',
    headingPath: ['Guide', 'Use'],
    anchor: 'use',
    level: 2,
    text: 'Use it.',
    ...overrides,
  });
}

export function aDocument(overrides: Partial<DocumentFacts> = {}): DocumentFacts {
  return {
    path: 'guide.md',
    title: 'Guide',
    trail: [],
    docTag: 'guides',
    repository: 'repo',
    updatedAt: '2025-12-01T00:00:00.000Z',
    url: null,
    metadata: {},
    ...overrides,
  };
}

interface CandidateParts {
  readonly section?: Partial<Section>;
  readonly document?: Partial<DocumentFacts>;
  readonly lexical?: number;
  /** Default: the value of `lexical`. */
  readonly score?: number;
  readonly vector?: number | null;
}

export function aCandidate(parts: CandidateParts = {}): Candidate {
  const { section, document, lexical = 1, score = lexical, vector = null } = parts;
  const shares = { words: score };
  return { section: aSection(section), document: aDocument(document), score, lexical, vector, shares };
}

export function aScope(overrides: Partial<Scope> = {}): Scope {
  return { projectId: 'docs', environment: 'prod', docTags: null, repositories: null, ...overrides };
}

interface CallParts {
  readonly sessionId?: string;
  readonly scope?: Partial<Scope>;
  readonly now?: () => number;
  readonly host?: Partial<Call['caller']['host']>;
  readonly caller?: Partial<Call['caller']>;
  readonly run?: string;
}

/** A call of a local caller with an empty trace. */
export function aCall({
  sessionId = 'session',
  scope,
  now = () => NOW,
  host,
  caller,
  run,
}: CallParts = {}): Call {
  return {
    id: 'call-1',
    caller: {
      principal: 'local',
      sessionId,
      agent: 'default',
      permissions: ['read'],
      tools: null,
      scopeLimit: {},
      allowance: {},
      memoryTag: null,
      host: { ...GENERIC_PROFILE, names: 'dotted', ...host },
      isLocal: true,
      isOperator: false,
      ...caller,
    },
    namedRun: run ?? null,
    scope: aScope(scope),
    signal: new AbortController().signal,
    now,
    elapsed: () => 0,
    correlation: UNCORRELATED,
    decisions: new Decisions(),
    trace: newTrace(),
  };
}

/** A session of the project of `aPassage`. */
export function anOwner(sessionId = 'session', overrides: Partial<ScratchOwner> = {}): ScratchOwner {
  return { sessionId, projectId: 'docs', environment: 'prod', ...overrides };
}

export function aPassage(overrides: Partial<Passage> = {}): Passage {
  return withStructure({
    sectionId: 'guide.md#use',
    docTag: 'guides',
    repository: 'repo',
    projectId: 'docs',
    environment: 'prod',
    headingPath: ['Guide', 'Use'],
    title: 'Guide > Use',
    text: 'Use it.',
    sourceUri: 'guide.md',
    url: null,
    updatedAt: '2025-12-01T00:00:00.000Z',
    createdAt: '2026-01-01T00:00:00.000Z',
    sizeBytes: 7,
    window: { start: 0, end: 7 },
    ...overrides,
  });
}

/** Words without parts, phrases and rewriting. */
export function theWords(...terms: readonly string[]): AskedWords {
  const words = terms.map((term) => ({ term, parts: [] }));
  return { words, phrases: [], correctable: [], acronyms: [] };
}

interface RankingParts extends Partial<Omit<Ranking, 'part'>> {
  readonly part?: Partial<QueryPart>;
}

export function aRanking({ part, ...overrides }: RankingParts = {}): Ranking {
  return {
    generation: 'index:1',
    candidates: [aCandidate()],
    matched: 1,
    dropped: { sameDocument: 0, nearDuplicate: 0 },
    sectionCount: 10,
    terms: [],
    documentFrequency: {},
    rewrites: [],
    collapse: {},
    timings: { lexical: 0, vector: 0, fusion: 0 },
    fusion: { method: 'none', params: {} },
    ...overrides,
    part: { question: '', text: '', asked: theWords(), own: null, ...part },
  };
}

/** An index that gives the same answer to every query, and records the queries. */
export class FixedIndex extends SectionIndex {
  readonly asked: SectionQuery[] = [];

  constructor(
    private readonly candidates: readonly Candidate[],
    private readonly of: Partial<IndexStamp> = {},
    /** The terms of every query; each occurs in one section. */
    private readonly terms: readonly string[] = [],
  ) {
    super();
  }

  async stamp(): Promise<IndexStamp> {
    const indexedAt = '2026-01-01T00:00:00.000Z';
    return { generation: 'index:1', projectId: 'docs', environment: 'prod', indexedAt, ...this.of };
  }

  async search(query: SectionQuery): Promise<SearchAnswer> {
    this.asked.push(query);
    const { candidates } = this;
    const timings = { lexical: 0, vector: 0, fusion: 0 };
    const answer = {
      generation: 'index:1',
      candidates,
      matched: candidates.length,
      sectionCount: 10,
      timings,
    };
    const dropped = { sameDocument: 2, nearDuplicate: 0 };
    const documentFrequency = Object.fromEntries(this.terms.map((term) => [term, 1]));
    return {
      ...answer,
      dropped,
      terms: this.terms,
      documentFrequency,
      rewrites: [],
      collapse: {},
      fusion: { method: 'none', params: {} },
    };
  }

  async sections(_scope: Scope, ids: readonly string[]): Promise<StoredSections> {
    const sections = this.candidates.filter(({ section }) => ids.includes(section.id));
    return { generation: 'index:1', sections };
  }

  async quoting(_scope: Scope, { text }: SoughtQuote): Promise<QuotingSection> {
    const found = this.candidates.find(({ section }) => section.text.includes(text)) ?? null;
    return { generation: 'index:1', found, isComplete: true };
  }

  async facts(): Promise<IndexFacts> {
    const empty = { documents: 0, sections: 0, bytes: 0, docTags: [], repositories: [], titles: [] };
    return { ...(await this.stamp()), ...empty };
  }

  async neighbours(_scope: Scope, id: string): Promise<SectionNeighbours | null> {
    const found = this.candidates.find(({ section }) => section.id === id);
    if (!found) return null;
    const { section, document } = found;
    return { generation: 'index:1', document, sections: [{ section, position: 1 }], total: 1, target: 0 };
  }

  async corpus(): Promise<CorpusFacts> {
    return { generation: 'index:1', description: null, instructions: null, taxonomy: [], prompts: [] };
  }

  async documents(): Promise<ListedDocuments> {
    return { generation: 'index:1', documents: [] };
  }

  async resources(): Promise<ListedDocuments> {
    return { generation: 'index:1', documents: [] };
  }

  async resource(): Promise<StoredSections | null> {
    return null;
  }

  async close(): Promise<void> {}
}
