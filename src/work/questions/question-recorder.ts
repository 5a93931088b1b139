import { createHash } from 'node:crypto';
import type { Call, RetrievalTrace } from '../../core/call.js';
import type { RankedCandidate } from '../../core/ranking.js';
import { scopeAllows } from '../../core/scope.js';
import { ANSWERABLE } from '../../kb/evidence.schemas.js';
import { inverseFrequency } from '../../kb/search/bm25.js';
import { type CallObserver, type FinishedCall, SHOWS_ANSWER } from '../../mcp/pipeline/call-watch.js';
import { BEARER, VISITOR } from '../../mcp/principals.js';
import { clipText } from '../../text/span.js';
import { isStopTerm } from '../../text/terms/languages.js';
import { queryTerms } from '../../text/terms/search-terms.js';
import { sectionTitle } from '../../text/untrusted-text.js';
import {
  MAX_KEYWORD,
  MAX_KEYWORDS,
  MAX_QUESTION,
  type NearSection,
  type NewQuestion,
  type QuestionProfile,
  type ReadOn,
} from './question.js';
import type { SeenInConversations } from './question-store.js';

/** Terms and near sections of a profile. */
const MAX_TERMS = 40;
const MAX_NEAR = 30;
/** Hexadecimal digits of the hash of a section, which tells if it was there when the question was asked. */
const HASH_LENGTH = 8;
const CONVERSATION_LENGTH = 24;
const MAX_SHOWN = 24;
/** The smallest size for which document frequencies mean something. */
const FEW_SECTIONS = 100;

/** Tools with which a caller reads a section of an answer on, besides resources. */
const READING: readonly (string | null)[] = [
  'kb.read_excerpt',
  'kb.expand_excerpt',
  'kb.extract_evidence',
  ...['get_doc', 'fetch'],
];

/** Tells if the text of a section is the same. */
export const textHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);

/**
 * The run or the session of a call, as a name that can't be used in its place. Callers with the token of the server are
 * several people with one session, so without a run each of their calls stands alone.
 */
function conversationIn({ id, caller, namedRun }: Call): string {
  const session = caller.principal === BEARER.name ? id : caller.sessionId;
  const name = JSON.stringify([caller.principal, caller.agent, namedRun ?? session]);
  return createHash('sha256').update(name).digest('hex').slice(0, CONVERSATION_LENGTH);
}

/** The visible candidates of all parts and searches, each once. */
function nearSections(call: Call, { rankings, answers }: RetrievalTrace): NearSection[] {
  const near = new Map<string, NearSection>();
  for (const { candidates } of [...rankings, ...answers]) {
    const best = candidates[0]?.score || 1;
    for (const { section, document, score } of candidates)
      if (near.size < MAX_NEAR && !near.has(section.id) && scopeAllows(call.scope, document))
        near.set(section.id, [section.id, textHash(section.text), Math.round((1000 * score) / best) / 1000]);
  }
  return [...near.values()];
}

function weights(text: string, { rankings }: RetrievalTrace): QuestionProfile['terms'] {
  const count = Math.max(FEW_SECTIONS, rankings[0]?.sectionCount ?? 0);
  const found = new Map(rankings.flatMap(({ documentFrequency }) => Object.entries(documentFrequency)));
  const terms = [...new Set(queryTerms(text))].filter((term) => !isStopTerm(term)).slice(0, MAX_TERMS);
  const weight = (term: string): number =>
    Math.round(100 * inverseFrequency(found.get(term) ?? 0, count)) / 100;
  return Object.fromEntries(terms.map((term) => [term, weight(term)]));
}

const headings = ({ section, document }: RankedCandidate): string =>
  sectionTitle(section.headingPath, document.trail);

/** The text that was asked, of tools that take a question; else the parts that were searched for. */
function askedText({ decisions }: Call, { rankings }: RetrievalTrace): string {
  const { question } = decisions.input ?? {};
  return typeof question === 'string' ? question : rankings.map(({ part }) => part.question).join(' ');
}

function askedKeywords({ decisions }: Call): string[] {
  const { keywords } = decisions.input ?? {};
  return Array.isArray(keywords) ? keywords.filter((word) => typeof word === 'string') : [];
}

/**
 * The question of a call that a verdict was given on; null for other calls, for named corpora, and for visitors without a
 * key, who could replace the questions of everybody.
 * @param hide  replaces what must not be kept
 */
export function readQuestion({ call }: FinishedCall, hide: (text: string) => string): NewQuestion | null {
  const {
    trace: { retrieval, corpus },
  } = call;
  const answerable = retrieval?.answerable;
  const [first] = retrieval?.rankings ?? [];
  const { caller, scope, id, now } = call;
  if (!retrieval || !answerable || !first || corpus !== null || caller.principal === VISITOR.name)
    return null;
  const text = clipText(hide(askedText(call, retrieval).toWellFormed()), MAX_QUESTION);
  const near = first.candidates.find(({ document }) => scopeAllows(scope, document));
  return {
    ...{ id, scope, text, principal: caller.principal, agent: caller.agent },
    conversation: conversationIn(call),
    askedAt: now(),
    keywords: askedKeywords(call)
      .slice(0, MAX_KEYWORDS)
      .map((word) => clipText(hide(word.toWellFormed()), MAX_KEYWORD)),
    verdict: ANSWERABLE.find((each) => each === answerable.verdict) ?? 'unsure',
    confidence: answerable.confidence,
    quoted: retrieval.shown.slice(0, MAX_SHOWN),
    handles: repliedHandles(call).slice(0, 2 * MAX_SHOWN),
    generation: first.generation,
    profile: { terms: weights(text, retrieval), near: nearSections(call, retrieval) },
    nearestId: near?.section.id ?? '',
    nearestTitle: near ? headings(near) : '',
  };
}

/** The sections and passages that a reply named. */
function repliedHandles({ trace: { refs } }: Call): string[] {
  return refs.filter(({ type }) => type === 'section' || type === 'passage').map(({ id }) => id);
}

/** The sections and passages that a call read on; null for other calls. */
function readReading({ call, start }: FinishedCall): ReadOn | null {
  if (!READING.includes(start.tool) && start.method !== 'resources/read') return null;
  if (start.meta[SHOWS_ANSWER] === true) return null;
  const handles = repliedHandles(call);
  const { projectId, environment } = call.scope;
  if (handles.length === 0) return null;
  return { space: { projectId, environment }, conversation: conversationIn(call), at: call.now(), handles };
}

interface RecorderParts {
  readonly record: (seen: SeenInConversations) => Promise<void>;
  readonly hide: (text: string) => string;
  /** Called with the number of records that were lost, and why. */
  readonly onLost: (count: number, error: unknown) => void;
  /** Time for which records are collected (ms). */
  readonly delayMs?: number;
}

/** Records are written together, so that many calls cost one transaction. */
const DELAY_MS = 250;
/** Records that are not written yet; further ones are lost. */
const MAX_WAITING = 1_000;

/** Keeps the questions of finished calls. Calls do not wait for it, and it never fails. */
export class QuestionRecorder implements CallObserver {
  private questions: NewQuestion[] = [];
  private readings: ReadOn[] = [];
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  /** Records that wait or are being written. */
  private held = 0;

  constructor(private readonly parts: RecorderParts) {}

  observe(finished: FinishedCall): void {
    if (finished.error || finished.isCancelled) return;
    const question = readQuestion(finished, this.parts.hide);
    const reading = question ? null : readReading(finished);
    if (!question && !reading) return;
    if (this.held >= MAX_WAITING) return this.parts.onLost(1, new Error('too many wait for the store'));
    this.held++;
    if (question) this.questions.push(question);
    if (reading) this.readings.push(reading);
    this.timer ??= setTimeout(() => void this.flush(), this.parts.delayMs ?? DELAY_MS).unref();
  }

  /** Writes what waits. */
  flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const { questions, readings } = this;
    [this.questions, this.readings] = [[], []];
    const count = questions.length + readings.length;
    if (count > 0)
      this.writing = this.writing
        .then(() => this.parts.record({ questions, readings }))
        .catch((error: unknown) => this.parts.onLost(count, error))
        .finally(() => (this.held -= count));
    return this.writing;
  }
}
