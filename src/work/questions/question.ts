import { rowsByKey } from '../../core/collections/group-rows.js';
import { type Scope, scopeCovers } from '../../core/scope.js';
import type { Answerable } from '../../kb/evidence.schemas.js';
import { canonicalJson } from '../../text/canonical-json.js';

/** Longest question, and longest text about what was missing (UTF-16 units). Longer ones are clipped. */
export const MAX_QUESTION = 1_000;
export const MAX_MISSING = 500;
/** Keywords of one question, and the longest one (UTF-16 units), as `kb.retrieve_evidence` accepts them. */
export const MAX_KEYWORDS = 8;
export const MAX_KEYWORD = 80;
/** Most kept questions of one project and environment; the oldest ones are removed. */
export const MAX_QUESTIONS = 20_000;

/** If an answer helped, as its caller says. */
export const ANSWERED = ['yes', 'partly', 'no'] as const;
export type Answered = (typeof ANSWERED)[number];

/** A section near a question: its id, the start of the SHA-256 of its text, and its score as a share of the best one. */
export type NearSection = readonly [id: string, hash: string, share: number];

/** The data by which two questions are compared. */
export interface QuestionProfile {
  /** Inverse document frequency by term of the question, without words such as "the". */
  readonly terms: Readonly<Record<string, number>>;
  /** Best first, by words and vectors of the corpus. */
  readonly near: readonly NearSection[];
}

/** A question when it was answered. Secrets and what the operator lists are replaced. */
export interface NewQuestion {
  /** The id of the call. */
  readonly id: string;
  readonly scope: Scope;
  readonly principal: string;
  readonly agent: string;
  /** Names the run or session without revealing its id. */
  readonly conversation: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly text: string;
  readonly keywords: readonly string[];
  readonly verdict: Answerable;
  /** That the documents answer it, 0 to 1, to four decimal places. */
  readonly confidence: number;
  /** Ids of the quoted sections, best first. */
  readonly quoted: readonly string[];
  /** Ids of the sections and passages in the reply, with which its caller can read on. */
  readonly handles: readonly string[];
  /** Of the index that answered. */
  readonly generation: string;
  readonly profile: QuestionProfile;
  /** The nearest section: its id and its headings. Empty if nothing was found. */
  readonly nearestId: string;
  readonly nearestTitle: string;
}

/** A kept question, and what happened after it. */
export interface KeptQuestion extends Omit<NewQuestion, 'profile' | 'handles'> {
  /** The question that it asks again in other words; its own id if it is the first. */
  readonly root: string;
  /** True if the caller read a section of the answer on. */
  readonly isReadOn: boolean;
  /** Null if the caller did not say. */
  readonly answered: Answered | null;
  readonly missing: string;
  /** The gap that a first question belongs to; '' for none. */
  readonly gap: string;
}

/** The caller read sections that an earlier reply may have named. */
export interface ReadOn {
  readonly space: Pick<Scope, 'projectId' | 'environment'>;
  readonly conversation: string;
  readonly at: number;
  /** Ids of sections and passages. */
  readonly handles: readonly string[];
}

/** Equal for scopes that show the same documents. */
export const scopeKey = ({ projectId, environment, docTags, repositories, groups = [] }: Scope): string => {
  const sorted = (list: readonly string[] | null) => list && [...new Set(list)].sort();
  return canonicalJson({
    ...{ projectId, environment },
    ...{ docTags: sorted(docTags), repositories: sorted(repositories), groups: sorted(groups) },
  });
};

/** Tells what is of a scope within that of a server, and that of an operator; null for all. */
export const withinScopes =
  (server: Scope, operator: Scope | null) =>
  ({ scope }: { readonly scope: Scope }): boolean =>
    scopeCovers(server, scope) && (operator === null || scopeCovers(operator, scope));

type Weights = Readonly<Record<string, number>>;

/** Cosine similarity of sparse vectors; 0 if one has no weights. */
function cosine(a: Weights, b: Weights): number {
  let [dot, ofA, ofB] = [0, 0, 0];
  for (const [name, weight] of Object.entries(a)) {
    if (Object.hasOwn(b, name)) dot += weight * (b[name] ?? 0);
    ofA += weight * weight;
  }
  for (const weight of Object.values(b)) ofB += weight * weight;
  return ofA === 0 || ofB === 0 ? 0 : dot / Math.sqrt(ofA * ofB);
}

/** Near sections that are compared. Those behind them are near to many questions. */
const COMPARED_SECTIONS = 8;

/** Profiles are compared often. */
const SHARES = new WeakMap<QuestionProfile, Weights>();

function shares(profile: QuestionProfile): Weights {
  const known = SHARES.get(profile);
  if (known) return known;
  const near = profile.near.slice(0, COMPARED_SECTIONS);
  const made = Object.fromEntries(near.map(([id, , share]) => [id, share]));
  SHARES.set(profile, made);
  return made;
}

/** The basis of a comparison: the sections near a question, else its terms. Questions that share nothing of it are hardly alike. */
export function comparedParts(profile: QuestionProfile): string[] {
  const sections = Object.keys(shares(profile));
  // Ids of sections have no spaces.
  return sections.length > 0 ? sections : Object.keys(profile.terms).map((term) => `term ${term}`);
}

/**
 * How much two questions are about one subject, 0 to 1: half by their words, half by the sections near them; by their words
 * alone if nothing was near both.
 */
export function questionLikeness(a: QuestionProfile, b: QuestionProfile): number {
  const ofTerms = cosine(a.terms, b.terms);
  if (a.near.length === 0 && b.near.length === 0) return ofTerms;
  return (ofTerms + cosine(shares(a), shares(b))) / 2;
}

/** A first question with those that ask it again. */
export interface Need {
  readonly root: KeptQuestion;
  /** In the order of asking; at least one. */
  readonly asks: readonly KeptQuestion[];
}

/** Questions by what was wanted, in the order of the first ones. @param questions  in the order of asking */
export function collectNeeds(questions: readonly KeptQuestion[]): Need[] {
  const byRoot = rowsByKey(questions, ({ root }) => root);
  return [...byRoot.values()].flatMap((asks) => (asks[0] ? [{ root: asks[0], asks }] : []));
}

/** Weight of each sign for "not answered"; 1 equals 0.1 of confidence. docs/gaps.md has how they were chosen. */
const SIGNS = { again: 1, readOn: 0.5, noHelp: 1, help: -1, silence: -0.5 } as const;
/** An answer of this confidence says nothing: above it, the verdict is `likely`. */
const EVEN = 0.7;

const lastFeedback = ({ asks }: Need): Answered | null =>
  asks.findLast(({ answered }) => answered !== null)?.answered ?? null;

/** False for a page that is loaded again. */
const isReworded = ({ root, asks }: Need): boolean =>
  asks.some(({ text, keywords }) => text !== root.text || String(keywords) !== String(root.keywords));

const readActs = (need: Need): number =>
  (isReworded(need) ? SIGNS.again : 0) + (need.asks.some(({ isReadOn }) => isReadOn) ? SIGNS.readOn : 0);

/** Actions and feedback of the caller that tell something about other questions on the subject. */
function readConduct(need: Need): number {
  const acts = readActs(need);
  const word = lastFeedback(need);
  if (word !== null) return acts + (word === 'yes' ? SIGNS.help : SIGNS.noHelp);
  return acts === 0 && need.asks.at(-1)?.verdict === 'likely' ? SIGNS.silence : acts;
}

/**
 * Doubt that a question was answered; from 0 on it counts as unanswered. If its caller says that the answer
 * did not help, or only in part, nothing else counts; if it helped, only what others say can outweigh it.
 */
function readDoubt(need: Need): number {
  const word = lastFeedback(need);
  if (word === 'no' || word === 'partly') return Infinity;
  const tenths = 10 * (EVEN - (need.asks.at(-1)?.confidence ?? 0));
  return word === 'yes' ? Math.min(tenths, 0) + SIGNS.help / 2 : tenths + readActs(need);
}

/** True if a question counts as not answered by what is known of it alone. */
export const isUnanswered = (need: Need): boolean => readDoubt(need) >= 0;

/** The questions about one subject that count as not answered, by what is known of each and of the others. */
export function findUnanswered(needs: readonly Need[]): readonly Need[] {
  const conducts = needs.map(readConduct);
  const all = conducts.reduce((sum, each) => sum + each, 0);
  return needs.filter((need, i) => readDoubt(need) + all - (conducts[i] ?? 0) >= 0);
}
