import type { Scope } from '../../../../src/core/scope.js';
import { decideCall } from '../../../../src/governance/policy/decide-call.js';
import { type PolicyRule, policyRuleSchema } from '../../../../src/governance/policy/policy-rule.js';
import { suggestScope } from '../../../../src/governance/policy/suggest-scope.js';
import { aScope } from '../../../support/builders.js';

const rulesOf = (...rules: object[]): PolicyRule[] =>
  rules.map((rule, i) => policyRuleSchema.parse({ name: `r${i}`, effect: 'deny', ...rule }));

const facts = { tool: 'kb.search', safety: 'write', agent: 'default', principal: 'local', at: 0 } as const;

/** The hint for a call that the rules deny. */
function hintFor(rules: readonly PolicyRule[], visible: Partial<Scope>): string | null {
  const scope = aScope(visible);
  const decide = (seen: Scope) => decideCall(rules, { ...facts, scope: seen });
  const deniedBy = (seen: Scope) => (decide(seen).effect === 'deny' ? decide(seen).rule : null);
  return suggestScope({ rules, rule: decide(scope).rule, scope, deniedBy });
}

const tags = Array.from({ length: 9 }, (_, i) => `t${i}`);

describe('suggestScope', () => {
  it.each<[string, object[], Partial<Scope>, string | null]>([
    [
      'names the visible tags that are not denied',
      [{ scope: { doc_tags: ['hr'] } }, { effect: 'allow' }],
      { docTags: ['guide', 'hr', 'api'] },
      'Call again with scope.doc_tags ["guide","api"].',
    ],
    [
      'names the visible repositories that are not denied',
      [{ scope: { repositories: ['vault'] } }, { effect: 'allow' }],
      { repositories: ['vault', 'web'] },
      'Call again with scope.repositories ["web"].',
    ],
    [
      'names the tags that a rule allows',
      [{ effect: 'allow', scope: { doc_tags: ['guide'] } }],
      { docTags: ['guide', 'hr'] },
      'Call again with scope.doc_tags ["guide"].',
    ],
    [
      'names the tags that a rule reports',
      [{ effect: 'notify', scope: { doc_tags: ['guide'] } }],
      {},
      'Call again with scope.doc_tags ["guide"].',
    ],
    [
      'names no tag that the caller may not see',
      [{ effect: 'allow', scope: { doc_tags: ['hr'] } }],
      { docTags: ['guide'] },
      null,
    ],
    [
      'names no tag that needs an approval',
      [{ scope: { doc_tags: ['hr'] } }, { effect: 'approve', scope: { doc_tags: ['guide'] } }, {}],
      {},
      null,
    ],
    [
      'names what is allowed and not denied before',
      [{ scope: { doc_tags: ['hr'] } }, { effect: 'allow', scope: { doc_tags: ['hr', 'guide'] } }],
      { docTags: ['hr', 'guide', 'api'] },
      'Call again with scope.doc_tags ["guide"].',
    ],
    [
      'goes by the rule that decides, not by another denial',
      [
        { tools: ['get_doc'], scope: { doc_tags: ['guide'] } },
        { scope: { doc_tags: ['hr'] } },
        { effect: 'allow' },
      ],
      { docTags: ['hr', 'guide'] },
      'Call again with scope.doc_tags ["guide"].',
    ],
    [
      'names the tags that none of two rules denies',
      [{ scope: { doc_tags: ['hr'] } }, { scope: { doc_tags: ['pay'] } }, { effect: 'allow' }],
      { docTags: ['hr', 'guide', 'pay'] },
      'Call again with scope.doc_tags ["guide"].',
    ],
    [
      'names the tags and the repositories that two rules do not deny',
      [{ scope: { doc_tags: ['hr'] } }, { scope: { repositories: ['vault'] } }, { effect: 'allow' }],
      { docTags: ['hr', 'guide'], repositories: ['vault', 'web'] },
      'Call again with scope.doc_tags ["guide"] and scope.repositories ["web"].',
    ],
    [
      'names what two rules deny if everything is visible',
      [{ scope: { doc_tags: ['hr'] } }, { scope: { doc_tags: ['pay'] } }, { effect: 'allow' }],
      {},
      'Call again with scope.doc_tags without hr, pay; scope.describe lists the values.',
    ],
    [
      'is null if two rules deny all that is visible',
      [{ scope: { doc_tags: ['hr'] } }, { scope: { doc_tags: ['pay'] } }, { effect: 'allow' }],
      { docTags: ['hr', 'pay'] },
      null,
    ],
    [
      'names what is left out if everything is visible',
      [{ scope: { doc_tags: ['hr', 'pay'] } }, { effect: 'allow' }],
      {},
      'Call again with scope.doc_tags without hr, pay; scope.describe lists the values.',
    ],
    ['is null if the rule denies every scope', [{}], { docTags: ['guide', 'hr'] }, null],
    [
      'is null if everything visible is denied',
      [{ scope: { doc_tags: ['hr'] } }, { effect: 'allow' }],
      { docTags: ['hr'] },
      null,
    ],
    ['is null if another value would be denied, too', [{ scope: { doc_tags: ['hr'] } }], {}, null],
    ['is null without rules', [], {}, null],
    [
      'takes the list that passes, not the first one',
      [
        { scope: { doc_tags: ['hr'] } },
        { effect: 'allow', scope: { doc_tags: ['a', 'b'], project_ids: ['other'] } },
        { effect: 'allow', scope: { doc_tags: ['b'] } },
      ],
      { docTags: ['a', 'b', 'hr'] },
      'Call again with scope.doc_tags ["b"].',
    ],
    [
      'names at most eight tags',
      [{ scope: { doc_tags: ['hr'] } }, { effect: 'allow' }],
      { docTags: ['hr', ...tags] },
      `Call again with scope.doc_tags ${JSON.stringify(tags.slice(0, 8))}.`,
    ],
    [
      'names at most eight tags to leave out',
      [{ scope: { doc_tags: tags } }, { effect: 'allow' }],
      {},
      'Call again with scope.doc_tags without t0, t1, t2, t3, t4, t5, t6, t7; scope.describe lists the values.',
    ],
  ])('%s', (_, rules, visible, expected) => {
    expect(hintFor(rulesOf(...rules), visible)).toBe(expected);
  });
});
