import type { Approval } from '../../../../src/governance/approvals/approval.js';
import {
  argumentsJson,
  callSentence,
  documentsText,
  needText,
} from '../../../../src/governance/approvals/approval-words.js';
import { aDecision, anApproval, REQUESTED_AT } from '../../../support/an-approval.js';

const ANN = { ...aDecision(), at: REQUESTED_AT };

describe('callSentence', () => {
  it.each([
    ['read', 'which only reads.'],
    ['write', 'which changes data of this server.'],
    ['external', 'which acts outside this server.'],
    ['other', 'which is of an unknown kind.'],
  ])('says who wants to call which tool, and what it does: %s', (safety, action) => {
    const sentence = callSentence(anApproval({ safety }));
    expect(sentence.map(({ text }) => text).join('')).toBe(
      `Agent support of principal agent-key wants to call kb.search, ${action}`,
    );
    expect(sentence.filter(({ isName }) => isName).map(({ text }) => text)).toEqual([
      'support',
      'agent-key',
      'kb.search',
    ]);
  });
});

describe('documentsText', () => {
  it('distinguishes all documents from none', () => {
    expect(documentsText({ projectId: 'docs', environment: 'prod', docTags: null, repositories: [] })).toBe(
      'project docs, environment prod; tags: all; repositories: none',
    );
  });
});

describe('needText', () => {
  it.each<[Partial<Approval>, string]>([
    [{}, 'one operator'],
    [{ approver: 'caller' }, 'the caller or one operator'],
    [{ effect: 'review' }, 'two different operators; 0 of 2 approved'],
    [{ effect: 'review', decisions: [ANN] }, 'two different operators; 1 of 2 approved'],
    [
      { effect: 'review', decisions: [ANN, { ...ANN, by: 'ben', verdict: 'rejected' }] },
      'two different operators; 1 of 2 approved',
    ],
  ])('%j: %s', (approval, text) => {
    expect(needText(anApproval(approval))).toBe(text);
  });
});

describe('argumentsJson', () => {
  it('indents the arguments', () => {
    expect(argumentsJson(anApproval())).toBe('{\n  "question": "How?"\n}');
  });

  it('returns the beginning of long arguments as it is', () => {
    const argumentsText = '{"question":"Ho';
    expect(argumentsJson(anApproval({ argumentsText, argumentsOmitted: 4 }))).toBe(argumentsText);
  });
});
