import { allowsGroups } from '../../core/document-groups.js';
import { sectionTitle } from '../../text/untrusted-text.js';
import type { RetrievalToolName } from '../record/replay-request.js';
import type { Cause, Loss, WhyFacts } from './why-missing.js';

/** The outcome of a section and the next step, one or two sentences each. */
interface WordedLoss {
  readonly said: string;
  readonly next: string;
}

/** How to raise the limits of a tool. */
interface Bounds {
  readonly list: string;
  readonly perDocument: string;
  readonly smaller: string;
}

const BOUNDS: Readonly<Record<RetrievalToolName, Bounds>> = {
  'kb.search': {
    list: 'raise top_k (at most 50)',
    perDocument: 'Raise options.max_per_doc (at most 10)',
    smaller: 'Ask for fewer results or shorter previews (page_size, options.max_snippet_chars).',
  },
  'kb.retrieve_evidence': {
    list: 'raise the first number of PITH_EVIDENCE_POOL',
    perDocument: 'Raise options.max_per_doc, or the second number of PITH_EVIDENCE_POOL (at most 10)',
    smaller: 'Ask for fewer or shorter quotes (max_quotes, max_quote_tokens).',
  },
  search_docs: {
    list: 'narrow the search with a taxonomy filter',
    perDocument:
      'search_docs returns at most five sections of a document. Try kb.search with options.max_per_doc',
    smaller: 'Ask for fewer hits (limit).',
  },
  search_sections: {
    list: 'raise top_k (at most 1000)',
    perDocument: 'Try kb.search with options.max_per_doc',
    smaller: 'Ask for fewer rows (page_size).',
  },
};

const MAX_NAMED = 5;

/** `a, b, and 3 more` */
export function named(all: readonly string[]): string {
  const rest = all.length - MAX_NAMED;
  return `${all.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

const ofTheList = ({ rank, of }: Loss): string => `${rank} of ${of}`;

function outsideScope({ scope, stored }: WhyFacts): string {
  const wrong = (name: string, value: string, allowed: readonly string[] | null): string[] =>
    allowed && !allowed.includes(value)
      ? [`its ${name} is ${JSON.stringify(value)}; the scope allows ${named(allowed)}`]
      : [];
  if (!stored) return '';
  const { docTag, repository, allow = [] } = stored.document;
  const lists = allow.filter((list) => !allowsGroups([list], scope.groups));
  return [
    ...wrong('doc_tag', docTag, scope.docTags),
    ...wrong('repository', repository, scope.repositories),
    ...lists.map((list) => `only for the groups ${JSON.stringify(list)}, and the caller has none of them`),
  ].join('; ');
}

function betterWords({ stored, terms }: Pick<WhyFacts, 'stored' | 'terms'>): string {
  const headings = stored ? sectionTitle(stored.section.headingPath) : '';
  const lacking = terms.asked.filter((term) => !terms.held.includes(term));
  const without = lacking.length > 0 ? `; it does not contain ${named(lacking)}` : '';
  return `send keywords that occur in this section and in few others (its headings are “${headings}”${without})`;
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

type Say = (loss: Loss, facts: WhyFacts, bounds: Bounds) => WordedLoss;

/** By cause, in the order of the stages. */
const SAY: Readonly<Record<Cause, Say>> = {
  not_indexed: ({ others }) => ({
    said: 'The index holds no section with this id.',
    next:
      others.length > 0
        ? `Similar ids: ${others.join(', ')}.`
        : 'The index has no similar id. pith index lists skipped files; pith doctor shows which index is read.',
  }),
  outside_scope: (_, facts) => ({
    said: `It is in the index, but outside the scope: ${outsideScope(facts)}.`,
    next: 'Widen PITH_DOC_TAGS or PITH_REPOSITORIES, or the scope in the call.',
  }),
  outside_filters: ({ others }) => ({
    said: `The filters of the call exclude it: ${others.join('; ')}.`,
    next: 'Remove the filters, or correct the properties of the document in .pith.yaml or its front matter.',
  }),
  no_word: (_, { terms, stored }) => ({
    said: `It contains none of the query words: ${named(terms.asked) || 'the query has no searchable words'}.`,
    next: sentence(betterWords({ stored, terms: { asked: [], held: [] } })),
  }),
  common_words: (_, facts) => ({
    said: `It contains only query words that are too common to search for: ${named(facts.terms.held)}.`,
    next: sentence(betterWords(facts)),
  }),
  not_compared: (loss, facts, { list }) => ({
    said:
      loss.rank === null
        ? `It is not among the ${loss.of} best matches by words, and only these are scored.`
        : `By words it ranks ${ofTheList(loss)}, too low to be scored by title and meaning; the list ends after ${loss.listed}.`,
    next: sentence(`${betterWords(facts)}, or ${list}`),
  }),
  same_document: (loss, _, { perDocument }) => ({
    said: `It ranks ${ofTheList(loss)} matches, but the list already has the maximum number of sections of its document: ${named(loss.others)}.`,
    next: `${perDocument}.`,
  }),
  near_duplicate: (loss) => ({
    said: `It ranks ${ofTheList(loss)} matches, but is a near duplicate or another version of ${named(loss.others)}, which is listed in its place.`,
    next: 'Read the listed one. To list both, set collapse: false for the taxonomy key that distinguishes them, or filter by that key.',
  }),
  below_list: (loss, facts, { list }) => ({
    said: `It ranks ${ofTheList(loss)} matches, and the list ends after ${loss.listed}.`,
    next: sentence(`${list}, or ${betterWords(facts)}`),
  }),
  other_page: (loss) => ({
    said: `It is in the list, at rank ${ofTheList(loss)}, but on another page.`,
    next: 'Follow next_cursor, or raise the page size.',
  }),
  no_quote: (loss) => ({
    said:
      loss.others.length > 0
        ? `It is in the list, at rank ${ofTheList(loss)}, but no sentence of it was selected: sentences of ${named(loss.others)} cover more of the question.`
        : `It is in the list, at rank ${ofTheList(loss)}, but no sentence was selected from any section.`,
    next: 'Raise PITH_EVIDENCE_TOKENS or max_quotes (at most 12), or ask about something that only this section covers.',
  }),
  budget: (loss, _, { smaller }) => ({
    said: `It was selected at rank ${ofTheList(loss)}, and omitted to stay within the response budget.`,
    next: smaller,
  }),
  returned: (loss) => ({
    said: `It is returned, at rank ${ofTheList(loss)} in the list.`,
    next: 'There is no loss now. If a caller did not get it, the call was different: give that call with --id.',
  }),
};

/** Explains where a section was lost. */
export function sayLoss(loss: Loss, facts: WhyFacts, tool: RetrievalToolName): WordedLoss {
  return SAY[loss.cause](loss, facts, BOUNDS[tool]);
}
