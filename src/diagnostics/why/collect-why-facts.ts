import type { RetrievalTrace } from '../../core/call.js';
import { BackendUnavailableError } from '../../core/errors.js';
import { NO_FILTER, type SectionIndex } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import { decodePath, pagePath } from '../../core/section-id.js';
import { nearestIds } from '../../scope/nearest-ids.js';
import { searchTerms } from '../../text/terms/search-terms.js';
import type { WhyFacts } from './why-missing.js';

/** Maps terms to words as written in the query, if it has them: a stem (`instal`) looks like a typing error. */
export function spellTerms(terms: readonly string[], texts: readonly string[]): ReadonlyMap<string, string> {
  const written = new Map<string, string>();
  for (const word of texts.join(' ').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    const [term, ...more] = new Set(searchTerms(word));
    if (term !== undefined && more.length === 0 && !written.has(term)) written.set(term, word);
  }
  return new Map(terms.map((term) => [term, written.get(term) ?? term]));
}

/**
 * Finds the section of a page that got furthest in a retrieval: into the result, to the quotes, into a ranked list, or
 * among the hits.
 * @param path  of a document, as in section ids or as written
 * @returns null if no section of the page matched
 */
export function sectionOfPage(path: string, retrieval: RetrievalTrace): string | null {
  const { shown, listed, rankings, answers } = retrieval;
  const ranked = rankings.flatMap(({ candidates }) => candidates.map(({ section }) => section.id));
  const hits = answers.flatMap((answer) => (answer.hits ?? []).map(({ sectionId }) => sectionId));
  const wanted = decodePath(path);
  const isOfPage = (id: string): boolean => decodePath(pagePath(id)) === wanted;
  return [...shown, ...listed, ...ranked, ...hits].find(isOfPage) ?? null;
}

/** Maximum number of similar ids that are suggested for an unknown id. */
const MAX_NEAREST = 5;
/** Attempts before an index that keeps changing is reported as busy. */
const MAX_ATTEMPTS = 3;

/** A retrieval, and where to look for a section that it should have found. */
export interface Looking<R> {
  readonly index: SectionIndex;
  /** The scope of the retrieval. */
  readonly scope: Scope;
  /** A section outside of it counts as not indexed. */
  readonly visible: Scope;
  /** Runs the retrieval, with the hits of every answer. */
  readonly retrieve: () => Promise<R>;
  /** Visible ids that a missing one may resemble. */
  readonly ids: () => Promise<readonly string[]> | readonly string[];
}

interface Looked<R> {
  readonly facts: WhyFacts;
  readonly ran: R;
}

type Ran = { readonly retrieval: RetrievalTrace };

async function heldBy(
  sectionId: string,
  terms: readonly string[],
  { index, visible }: Pick<Looking<unknown>, 'index' | 'visible'>,
): Promise<string[]> {
  const words = terms.map((term) => ({ term, parts: [] }));
  const { documentFrequency } = await index.search({
    text: terms.join(' '),
    asked: { words, phrases: [], correctable: [], acronyms: [] },
    rankedBy: 'lexical',
    scope: visible,
    filter: { ...NO_FILTER, sectionIds: [sectionId] },
    limit: 1,
    perDocument: 1,
  });
  return terms.filter((term) => (documentFrequency[term] ?? 0) > 0);
}

/** @returns null if the index changed meanwhile */
async function lookOnce<R extends Ran>(sectionId: string, looking: Looking<R>): Promise<Looked<R> | null> {
  const { index, scope, visible } = looking;
  const ran = await looking.retrieve();
  const { answers, rankings, filter } = ran.retrieval;
  const asked = sectionOfPage(sectionId, ran.retrieval) ?? sectionId;
  const { generation, sections } = await index.sections(visible, [asked]);
  if (answers.some((answer) => answer.generation !== generation)) return null;
  const [stored = null] = sections;
  const terms = [...new Set(answers.flatMap(({ terms }) => terms))];
  const id = stored?.section.id ?? sectionId;
  const ids = stored ? [] : await looking.ids();
  const held = stored ? await heldBy(id, terms, looking) : [];
  const spelled = spellTerms(
    terms,
    rankings.map(({ part }) => part.text),
  );
  const facts = {
    sectionId: id,
    stored,
    nearest: nearestIds(id, ids, MAX_NEAREST),
    scope,
    filter: filter ?? NO_FILTER,
    terms: { asked: [...spelled.values()], held: held.map((term) => spelled.get(term) ?? term) },
    retrieval: ran.retrieval,
  };
  return { facts, ran };
}

/**
 * Runs a retrieval and collects facts about an expected section, all from one generation of the index.
 * @param sectionId  an id, or the path of a document for its section that got furthest, or else its first
 * @throws PithError as the retrieval does; BackendUnavailableError `index_busy`
 */
export async function collectWhyFacts<R extends Ran>(
  sectionId: string,
  looking: Looking<R>,
): Promise<Looked<R>> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const looked = await lookOnce(sectionId, looking);
    if (looked) return looked;
  }
  throw new BackendUnavailableError('The index changed repeatedly during the lookup.', {
    reason: 'index_busy',
    hint: 'Run this again in a moment.',
  });
}
