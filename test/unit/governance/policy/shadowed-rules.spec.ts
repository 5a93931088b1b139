import { type PolicyRule, policyRuleSchema } from '../../../../src/governance/policy/policy-rule.js';
import { shadowedRules } from '../../../../src/governance/policy/shadowed-rules.js';

const aRule = (name: string, parts: object): PolicyRule =>
  policyRuleSchema.parse({ name, effect: 'allow', ...parts });

/** The rules that never apply, each with the one that decides its calls. */
const shadowed = (...parts: readonly object[]): string[] =>
  shadowedRules(parts.map((part, i) => aRule(`r${i}`, part))).map(
    ({ rule, by }) => `${rule.name} by ${by.name}`,
  );

describe('shadowedRules', () => {
  it.each<[string, object[]]>([
    ['a wider pattern', [{ tools: ['files.*'] }, { tools: ['files.write_file'], effect: 'review' }]],
    ['a pattern over a pattern', [{ tools: ['files.*'] }, { tools: ['files.write_*'], effect: 'deny' }]],
    ['a rule for all calls', [{}, { tools: ['kb.search'], agents: ['a'], effect: 'deny' }]],
    ['one of several patterns', [{ tools: ['files.*', 'kb.*'] }, { tools: ['kb.search'], effect: 'deny' }]],
    ['several patterns together', [{ tools: ['a', 'b'] }, { tools: ['b', 'a'], effect: 'deny' }]],
    ['a rule for all hours', [{}, { time: { to: '08:00' }, effect: 'deny' }]],
    ['a rule for all documents', [{}, { scope: { doc_tags: ['a'] }, effect: 'deny' }]],
    ['the same rule', [{ tools: ['kb.*'] }, { tools: ['kb.*'], effect: 'deny' }]],
    ['more classes', [{ safety: ['read', 'write'] }, { safety: ['write'], effect: 'deny' }]],
    ['the same hours', [{ time: { to: '08:00' } }, { time: { to: '08:00' }, tools: ['*'], effect: 'deny' }]],
    [
      'the same documents',
      [
        { scope: { doc_tags: ['a'] }, effect: 'deny' },
        { scope: { doc_tags: ['a'] }, tools: ['kb.*'], effect: 'deny' },
      ],
    ],
  ])('finds a rule behind %s', (_, rules) => {
    expect(shadowed(...rules)).toEqual(['r1 by r0']);
  });

  it.each<[string, object[]]>([
    ['in the other order', [{ tools: ['files.write_file'], effect: 'review' }, { tools: ['files.*'] }]],
    ['for other tools', [{ tools: ['files.*'] }, { tools: ['files.*', 'kb.*'], effect: 'deny' }]],
    ['for all tools', [{ tools: ['files.*'] }, { effect: 'deny' }]],
    ['for other agents', [{ agents: ['a'] }, { agents: ['a', 'b'], effect: 'deny' }]],
    ['for other principals', [{ principals: ['a*'] }, { effect: 'deny' }]],
    ['for another class', [{ safety: ['read'] }, { safety: ['read', 'write'], effect: 'deny' }]],
    ['for all classes', [{ safety: ['read'] }, { effect: 'deny' }]],
    ['at all hours', [{ time: { to: '08:00' } }, { effect: 'deny' }]],
    [
      'for other documents',
      [
        { scope: { doc_tags: ['a'] }, effect: 'deny' },
        { scope: { doc_tags: ['b'] }, effect: 'deny' },
      ],
    ],
    ['at other hours', [{ time: { to: '08:00' } }, { time: { to: '09:00' }, effect: 'deny' }]],
    // `allow` needs all visible documents to be named, `deny` needs one.
    ['for more documents', [{ scope: { doc_tags: ['a'] } }, { scope: { doc_tags: ['a'] }, effect: 'deny' }]],
  ])('finds no rule %s', (_, rules) => {
    expect(shadowed(...rules)).toEqual([]);
  });
});
