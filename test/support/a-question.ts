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
