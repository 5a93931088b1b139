import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { findHidden, NO_FILTER, SectionIndex } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import { pagePath } from '../../core/section-id.js';
import { EvidenceService } from '../../kb/evidence/evidence.service.js';
import { clipText } from '../../text/span.js';
import { GapAsker } from './ask-again.js';
import { MAX_QUESTION, withinScopes } from './question.js';
import { QuestionStore } from './question-store.js';
import {
  type AskedWord,
  askedWords,
  readNeeds,
  type UnusedPages,
  usageFacts,
  usedPages,
  wordsLike,
} from './usage.js';

const PAGE = 500;
/** Documents that are looked through for those that answered nothing. */
const MAX_DOCUMENTS = 20_000;
/** Paths that are listed. */
const MAX_PATHS = 50;
/** Words that no document contains. */
const MAX_WORDS = 20;
/** Questions that a synonym is tried on. */
const MAX_TRIED = 3;
/** A synonym is suggested if the mean confidence of the answers rises by this. */
const RISE = 0.05;

/** A word that may stand for one that no document contains. */
interface SynonymFacts {
  readonly synonym: string;
  readonly asked: number;
  /** Mean confidence of answers to questions without the word, and with the synonym in its place; null if it was not tried. */
  readonly confidence: number | null;
  readonly confidence_with: number | null;
}

export type UsageFacts = ReturnType<typeof usageFacts> & {
  readonly unused: UnusedPages;
  readonly words: readonly {
    readonly word: string;
    readonly asked: number;
    readonly synonyms: readonly SynonymFacts[];
  }[];
};

interface UsageQuery {
  /** Of an operator, who sees the questions of scopes within it; null for all of the server. */
  readonly scope: Scope | null;
  /** Milliseconds since the epoch; only questions that were asked since then. */
  readonly since: number;
  readonly now: number;
  /** True to ask kept questions with each synonym, which takes seconds, and to list only those that help. */
  readonly isTried: boolean;
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Tells what is asked, what answers it, and which words people use and the documents do not. */
@Injectable()
export class UsageService {
  private readonly asker: GapAsker;

  constructor(
    private readonly store: QuestionStore,
    evidence: EvidenceService,
    private readonly index: SectionIndex,
  ) {
    this.asker = new GapAsker(evidence, index);
  }

  async read(server: Scope, { scope, since, now, isTried }: UsageQuery): Promise<UsageFacts> {
    const within = scope ?? server;
    const questions = (await this.store.list(server))
      .filter(withinScopes(server, scope))
      .filter(({ askedAt }) => askedAt >= since);
    const hidden = await findHidden(
      this.index,
      within,
      questions.flatMap(({ quoted }) => quoted),
    );
    const shown = questions.map(({ quoted, ...question }) => ({
      ...question,
      quoted: quoted.filter((id) => !hidden.has(pagePath(id))),
    }));
    const needs = readNeeds(shown);
    const words: UsageFacts['words'][number][] = [];
    for (const word of await this.unknown(within, askedWords(needs), MAX_WORDS)) {
      const others = wordsLike(word, needs);
      const unknown = new Set(await this.unknown(within, others, others.length));
      const like = others.filter((other) => !unknown.has(other));
      const synonyms = isTried ? await this.testSynonyms(word, like, now) : like.map(untested);
      words.push({ word: word.word, asked: word.needs.length, synonyms });
    }
    return { ...usageFacts(needs), unused: await this.unused(within, usedPages(needs)), words };
  }

  /** The words that no visible section contains. */
  private async unknown(scope: Scope, words: readonly AskedWord[], limit: number): Promise<AskedWord[]> {
    if (words.length === 0) return [];
    const query = { words: words.map(({ term }) => ({ term, parts: [] })), phrases: [] };
    const { documentFrequency } = await this.index.search({
      ...{ text: '', asked: { ...query, correctable: [], acronyms: [] }, rankedBy: 'lexical' },
      ...{ scope, filter: NO_FILTER, limit: 1, perDocument: 1 },
    });
    return words.filter(({ term }) => documentFrequency[term] === 0).slice(0, limit);
  }

  private async unused(scope: Scope, used: ReadonlySet<string>): Promise<UsageFacts['unused']> {
    const paths: string[] = [];
    let isComplete = false;
    for (let at = 0; at < MAX_DOCUMENTS && !isComplete; at += PAGE) {
      const { documents } = await this.index.documents(scope, at, PAGE);
      paths.push(...documents.map(({ path }) => path).filter((path) => !used.has(path)));
      isComplete = documents.length < PAGE;
      await setImmediate();
    }
    return { count: paths.length, is_complete: isComplete, paths: paths.slice(0, MAX_PATHS) };
  }

  /** Asks questions with each synonym in place of the word. @returns those that make answers surer, best first */
  private async testSynonyms(
    word: AskedWord,
    synonyms: readonly AskedWord[],
    now: number,
  ): Promise<SynonymFacts[]> {
    const texts = new Map(word.needs.map(({ root }) => [root.text, root]));
    const questions = [...texts.values()].slice(-MAX_TRIED);
    const mean = async (change: (text: string) => string): Promise<number> => {
      let sum = 0;
      for (const { scope, text } of questions) {
        const changed = clipText(change(text).trim(), MAX_QUESTION);
        // A question may have been the word alone.
        if (changed !== '') sum += await this.asker.confidence(scope, changed, now);
      }
      return round(sum / questions.length);
    };
    if (synonyms.length === 0) return [];
    const pattern = new RegExp(String.raw`(?<!\p{L})${word.word}(?!\p{L})`, 'giu');
    // An answer is surer without a word that no document contains, whatever stands for it.
    const confidence = await mean((text) => text.replace(pattern, ''));
    const found: SynonymFacts[] = [];
    for (const other of synonyms) {
      const confidence_with = await mean((text) => text.replace(pattern, other.word));
      if (confidence_with >= confidence + RISE)
        found.push({ ...untested(other), confidence, confidence_with });
    }
    return found.sort((a, b) => (b.confidence_with ?? 0) - (a.confidence_with ?? 0));
  }
}

const untested = ({ word, needs }: AskedWord): SynonymFacts => ({
  ...{ synonym: word, asked: needs.length, confidence: null, confidence_with: null },
});
