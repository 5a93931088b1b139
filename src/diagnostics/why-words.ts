import { titleOf } from '../scratch/passage-title.js';
import type { RetrievalToolName } from './retrieval-tools.js';
import type { Cause, Loss, WhyFacts } from './why-missing.js';

/** What became of a section, and what can be done about it: a sentence or two each. */
export interface Told {
  readonly said: string;
  readonly next: string;
}

/** How the bounds of a tool are raised. */
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
    list: 'narrow the search by a field of the taxonomy',
    perDocument: 'search_docs takes five sections of a document: try kb.search with options.max_per_doc',
    smaller: 'Ask for fewer hits (limit).',
  },
  search_sections: {
    list: 'raise top_k (at most 1000)',
    perDocument: 'Try kb.search with options.max_per_doc',
    smaller: 'Ask for fewer rows (page_size).',
  },
};

/** Ids and words that one sentence names. */
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
      ? [`its ${name} is ${JSON.stringify(value)}, and what may be seen is ${named(allowed)}`]
      : [];
  if (!stored) return '';
  const { docTag, repository } = stored.document;
  return [
    ...wrong('doc_tag', docTag, scope.docTags),
    ...wrong('repository', repository, scope.repositories),
  ].join('; ');
}

/** What it would be found by. */
function betterWords({ stored, terms }: Pick<WhyFacts, 'stored' | 'terms'>): string {
  const headings = stored ? titleOf(stored.section.headingPath) : '';
  const lacking = terms.asked.filter((term) => !terms.held.includes(term));
  const without = lacking.length > 0 ? `; it lacks ${named(lacking)}` : '';
  return `send keywords that stand in it and in few others (its headings are “${headings}”${without})`;
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

type Say = (loss: Loss, facts: WhyFacts, bounds: Bounds) => Told;

const NEVER_RANKED = {
  not_indexed: ({ others }) => ({
    said: 'The index holds no section with this id.',
    next:
      others.length > 0
        ? `Nearest are: ${others.join(', ')}.`
        : 'Nothing in the index is like it: pith index names the files that it skips, and pith doctor the index that is read.',
  }),
  outside_scope: (_, facts) => ({
    said: `It is in the index, but outside the scope: ${outsideScope(facts)}.`,
    next: 'Widen PITH_DOC_TAGS or PITH_REPOSITORIES, or the scope that the caller sends.',
  }),
  outside_filters: ({ others }) => ({
    said: `The filters of the call leave it out: ${others.join('; ')}.`,
    next: 'Ask without them, or correct what .pith.yaml or the front matter says of the document.',
  }),
  no_word: (_, { terms, stored }) => ({
    said: `No word that was asked for stands in it: ${named(terms.asked) || 'none was asked for'}.`,
    next: sentence(betterWords({ stored, terms: { asked: [], held: [] } })),
  }),
  common_words: (_, facts) => ({
    said: `Of the words it holds only ${named(facts.terms.held)}, which tell too little to be searched for.`,
    next: sentence(betterWords(facts)),
  }),
} as const satisfies Partial<Record<Cause, Say>>;

const RANKED = {
  not_compared: (loss, facts, { list }) => ({
    said:
      loss.rank === null
        ? `It is not among the ${loss.of} rows that match best by words, and no others are looked at.`
        : `By words it ranks ${ofTheList(loss)}, too far down to be compared by title and meaning; the list ends after ${loss.listed}.`,
    next: sentence(`${betterWords(facts)}, or ${list}`),
  }),
  same_document: (loss, _, { perDocument }) => ({
    said: `It ranks ${ofTheList(loss)} that match, but the list takes no more of its document than stand before it: ${named(loss.others)}.`,
    next: `${perDocument}.`,
  }),
  near_duplicate: (loss) => ({
    said: `It ranks ${ofTheList(loss)} that match, but says what ${named(loss.others)} says, or is the same section in another version: that one stands for both.`,
    next: 'Read that one. Where both should stand, set collapse: false for the key that tells them apart, or filter by it.',
  }),
  below_list: (loss, facts, { list }) => ({
    said: `It ranks ${ofTheList(loss)} that match, and the list ends after ${loss.listed}.`,
    next: sentence(`${list}, or ${betterWords(facts)}`),
  }),
} as const satisfies Partial<Record<Cause, Say>>;

const LISTED = {
  other_page: (loss) => ({
    said: `It is in the list, at rank ${ofTheList(loss)}, but on another page.`,
    next: 'Follow next_cursor, or ask for longer pages.',
  }),
  no_quote: (loss) => ({
    said:
      loss.others.length > 0
        ? `It is in the list, at rank ${ofTheList(loss)}, but no sentence of it was chosen: those of ${named(loss.others)} cover more of the question.`
        : `It is in the list, at rank ${ofTheList(loss)}, but no sentence at all was chosen.`,
    next: 'Raise max_quotes (at most 12), or ask for what only this section says.',
  }),
  budget: (loss, _, { smaller }) => ({
    said: `It was chosen, at rank ${ofTheList(loss)}, and left out so that the result keeps its ceilings.`,
    next: smaller,
  }),
  returned: (loss) => ({
    said: `It is returned; in the list it has rank ${ofTheList(loss)}.`,
    next: 'Nothing is lost now. If a caller did not get it, it asked something else: say which call with --id.',
  }),
} as const satisfies Partial<Record<Cause, Say>>;

const SAY: Readonly<Record<Cause, Say>> = { ...NEVER_RANKED, ...RANKED, ...LISTED };

/** Says in plain words where a section was lost. */
export function sayLoss(loss: Loss, facts: WhyFacts, tool: RetrievalToolName): Told {
  return SAY[loss.cause](loss, facts, BOUNDS[tool]);
}
