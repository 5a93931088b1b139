import { NOTHING_DECLARED } from '../../src/core/corpus-declaration.js';
import type { DocumentGraph, IndexedDocument } from '../../src/core/indexed-document.js';
import type { IndexSettings } from '../../src/core/ports/index-writer.port.js';
import type {
  AskedWords,
  RankedBy,
  SearchAnswer,
  SectionQuery,
} from '../../src/core/ports/section-index.port.js';
import type { Scope } from '../../src/core/scope.js';
import type { DocumentCaution } from '../../src/core/section.js';
import { encodePath } from '../../src/core/section-id.js';
import { graphOf } from '../../src/ingest/index-document.js';
import { readStructure } from '../../src/ingest/structure/read-units.js';
import { planQuery } from '../../src/kb/search/plan-query.js';
import { ownProject } from './own-project.js';

/** The properties of a document that matter to a test; the others have defaults. */
export interface DocumentParts {
  readonly path?: string;
  /** The text of each section; several sections get the ids `path#s1`, `path#s2`, …, with an encoded path. */
  readonly texts?: readonly string[];
  readonly title?: string;
  readonly headingPath?: readonly string[];
  readonly docTag?: string;
  readonly repository?: string;
  readonly updatedAt?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly trail?: readonly string[];
  readonly caution?: DocumentCaution;
  readonly artifact?: string;
  readonly allowed?: readonly string[];
  readonly hash?: string;
  /** Default: derived from the texts. */
  readonly graph?: Partial<DocumentGraph>;
}

/** A document ready for writing. */
export function anIndexedDocument(parts: DocumentParts = {}): IndexedDocument {
  const { path = 'page.md', texts = ['Plain text.'], title = 'Page', headingPath = [title] } = parts;
  const { docTag = 'docs', repository = 'repo', updatedAt = '2025-12-01T00:00:00.000Z' } = parts;
  const sections = texts.map((text, ordinal) => ({
    id: texts.length === 1 ? encodePath(path) : `${encodePath(path)}#s${ordinal + 1}`,
    ordinal,
    title: headingPath.at(-1) ?? title,
    headingPath,
    anchor: null,
    level: 1,
    text,
    structure: readStructure(text),
  }));
  const headings = sections.map((section) => {
    const { id, anchor, ordinal } = section;
    return { id, title: section.title, level: 1, anchor, parent: null, sections: [ordinal] };
  });
  return {
    facts: {
      path,
      title,
      trail: parts.trail ?? [],
      docTag,
      repository,
      updatedAt,
      url: null,
      metadata: parts.metadata ?? {},
      ...(parts.caution ? { caution: parts.caution } : {}),
      ...(parts.artifact === undefined ? {} : { artifact: parts.artifact }),
    },
    hash: parts.hash ?? `hash of ${texts.join()}`,
    bytes: texts.join('').length,
    frontMatter: {},
    ...(parts.allowed ? { allowed: parts.allowed } : {}),
    sections,
    graph: { ...graphOf(headings, sections), ...parts.graph },
    problems: [],
  };
}

/** The project of most tests. */
export const PROJECT = ownProject('project');
/** Another project. */
export const ANOTHER = ownProject('another');

export const SETTINGS: IndexSettings = {
  projectId: PROJECT,
  environment: 'prod',
  root: '/somewhere',
  siteUrls: [],
  corpus: NOTHING_DECLARED,
};

/** Path and hash, as `publish` expects them. */
export function presentOf(documents: readonly IndexedDocument[]): Map<string, string> {
  return new Map(documents.map(({ facts, hash }) => [facts.path, hash]));
}

export const EVERYTHING: Scope = {
  projectId: PROJECT,
  environment: 'prod',
  docTags: null,
  repositories: null,
};

/** The properties of a query that matter to a test: the words of the caller, and restrictions. */
export interface QueryParts {
  /** Words without parts, which replace those of the text. */
  readonly terms?: readonly string[];
  readonly asked?: Partial<AskedWords>;
  readonly keywords?: readonly string[];
  readonly rewrite?: boolean;
  readonly rankedBy?: RankedBy;
  readonly scope?: Partial<Scope>;
  readonly filter?: Partial<SectionQuery['filter']>;
  readonly limit?: number;
  readonly perDocument?: number;
  readonly fillTo?: number;
  readonly explain?: boolean;
}

/** A query for the words of a text, planned like in the tools. */
export function aQuery(text: string, parts: QueryParts = {}): SectionQuery {
  const { keywords = [], rewrite = true } = parts;
  const [planned] = planQuery({ text, keywords, parts: [], rewrite }).parts;
  const words = parts.terms ? { words: parts.terms.map((term) => ({ term, parts: [] })) } : {};
  const nothing = { words: [], phrases: [], correctable: [], acronyms: [] };
  return {
    text,
    asked: { ...nothing, ...planned?.asked, ...words, ...parts.asked },
    rankedBy: parts.rankedBy ?? 'both',
    scope: { ...EVERYTHING, ...parts.scope },
    filter: { docTags: null, pathPrefix: null, updatedAfter: null, ...parts.filter },
    limit: parts.limit ?? 100,
    perDocument: parts.perDocument ?? 100,
    ...(parts.fillTo === undefined ? {} : { fillTo: parts.fillTo }),
    ...(parts.explain === undefined ? {} : { explain: parts.explain }),
  };
}

/** Sections without the words that tests ask for, so that these are rare. */
export const FILLERS = ['An osprey.', 'An eagle.', 'A falcon.', 'A buzzard.', 'A kite.', 'A harrier.'].map(
  (text, i) => anIndexedDocument({ path: `filler-${i}.md`, texts: [text] }),
);

/** Ids of what a search found, best first. */
export const idsOf = ({ candidates }: SearchAnswer): string[] => candidates.map(({ section }) => section.id);
