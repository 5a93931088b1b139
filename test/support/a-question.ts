import type { Call } from '../../src/core/call.js';
import type { RetrievedEvidence } from '../../src/kb/evidence.schemas.js';
import { EvidenceService } from '../../src/kb/evidence/evidence.service.js';
import type { Gap } from '../../src/work/questions/gap.js';
import type { KeptQuestion, NewQuestion, QuestionProfile } from '../../src/work/questions/question.js';
import { aScope } from './builders.js';

export const aProfile = (overrides: Partial<QuestionProfile> = {}): QuestionProfile => ({
  terms: { reef: 3, sail: 2 },
  near: [['reefs.md#take', 'aa', 1]],
  ...overrides,
});

const FACTS: Omit<NewQuestion, 'profile' | 'handles'> = {
  ...{ id: 'q1', scope: aScope(), principal: 'ann', agent: 'coder', conversation: 'c1', askedAt: 1_000 },
  ...{ text: 'How is a reef taken in?', keywords: [], verdict: 'unlikely', confidence: 0.4 },
  ...{
    quoted: ['reefs.md#take'],
    generation: 'g1',
    nearestId: 'reefs.md#take',
    nearestTitle: 'Reefs > Take',
  },
};

export const aNewQuestion = (overrides: Partial<NewQuestion> = {}): NewQuestion => ({
  ...FACTS,
  ...{ handles: ['reefs.md#take', 'passage-1'], profile: aProfile() },
  ...overrides,
});

export const aQuestion = (overrides: Partial<KeptQuestion> = {}): KeptQuestion => ({
  ...FACTS,
  root: overrides.id ?? FACTS.id,
  ...{ isReadOn: false, answered: null, missing: '', gap: '' },
  ...overrides,
});

export const aGap = (overrides: Partial<Gap> = {}): Gap => ({
  ...{ id: 'q1', scope: aScope(), state: 'open', changedAt: 1_000, generation: 'g1', answer: null },
  claimId: '',
  ...overrides,
});

/** The answer to a question that is asked again. */
export interface SecondAnswer {
  readonly answerable?: RetrievedEvidence['answerable'];
  /** Of the answer and of its quotes. */
  readonly confidence?: number;
  /** By section id. */
  readonly quotes?: Readonly<Record<string, string>>;
  /** Of single quotes, by section id. Default: that of the answer. */
  readonly quoteConfidence?: Readonly<Record<string, number>>;
}

/** Answers questions as told. @param answer  given the question; may throw */
export const answering = (answer: (question: string) => SecondAnswer): EvidenceService =>
  Object.assign(Object.create(EvidenceService.prototype), {
    retrieve: async (_: Call, { question }: { readonly question: string }) => {
      const { answerable = 'likely', confidence = 0.9, quotes = {}, quoteConfidence = {} } = answer(question);
      const found = Object.entries(quotes).map(([section_id, quote]) => ({
        ...{ section_id, quote, confidence: quoteConfidence[section_id] ?? confidence },
      }));
      const sources = found.map(({ section_id }) => ({ section_id, title: section_id }));
      return { output: { answerable, quotes: found, sources, debug: { confidence } } };
    },
  });
