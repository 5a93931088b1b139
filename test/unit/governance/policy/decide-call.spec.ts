import { askOperator, decideCall, isAlwaysDenied } from '../../../../src/governance/policy/decide-call';
import type { CallFacts } from '../../../../src/governance/policy/match-rule';
import { type PolicyRule, policyRuleSchema } from '../../../../src/governance/policy/policy-rule';

const rule = (fields: object): PolicyRule => policyRuleSchema.parse({ name: 'r', effect: 'deny', ...fields });

/** A Wednesday, 10:30 in UTC. */
const WEDNESDAY = Date.UTC(2026, 10, 25, 10, 30);
const hours = (count: number): number => count * 3_600_000;

const aCall = (fields: Partial<CallFacts> = {}): CallFacts => ({
  tool: 'kb.search',
  safety: 'read',
  agent: 'default',
  principal: 'local',
  scope: { projectId: 'p', environment: 'prod', docTags: ['public'], repositories: null },
  at: WEDNESDAY,
  ...fields,
});

const UNKNOWN = { projectId: '', environment: '', docTags: null, repositories: null } as const;
const write = { safety: 'write' } as const;

describe('decideCall', () => {
  it.each<[string, object[], Partial<CallFacts>, string, string]>([
    // without rules
    ['allows reads by default', [], {}, 'allow', 'default-reads'],
    ['denies writes by default', [], write, 'deny', 'default-deny'],
    ['denies external tools by default', [], { safety: 'external' }, 'deny', 'default-deny'],
    // order
    [
      'takes the first of two matching rules',
      [{ name: 'a', effect: 'allow' }, { name: 'b' }],
      {},
      'allow',
      'a',
    ],
    ['takes the first in the other order', [{ name: 'b' }, { name: 'a', effect: 'allow' }], {}, 'deny', 'b'],
    ['skips a rule that does not match', [{ name: 'a', tools: ['graph.*'] }, { name: 'b' }], {}, 'deny', 'b'],
    ['falls back if no rule matches', [{ name: 'a', tools: ['graph.*'] }], {}, 'allow', 'default-reads'],
    ['lets a rule allow writes', [{ name: 'w', safety: ['write'], effect: 'allow' }], write, 'allow', 'w'],
    ['lets a rule notify', [{ name: 'n', effect: 'notify' }], {}, 'notify', 'n'],
    ['lets a rule notify of a write', [{ name: 'n', effect: 'notify' }], write, 'notify', 'n'],
    // tools
    ['matches a tool by name', [{ tools: ['kb.search'] }], {}, 'deny', 'r'],
    ['matches a tool by prefix', [{ tools: ['kb.*'] }], {}, 'deny', 'r'],
    ['matches a tool by suffix', [{ tools: ['*.search'] }], {}, 'deny', 'r'],
    ['matches text in the middle', [{ tools: ['k*h'] }], {}, 'deny', 'r'],
    ['matches every tool', [{ tools: ['*'] }], {}, 'deny', 'r'],
    ['matches several stars', [{ tools: ['*.*'] }], {}, 'deny', 'r'],
    ['matches one of several patterns', [{ tools: ['graph.*', 'kb.search'] }], {}, 'deny', 'r'],
    ['treats a dot as a dot', [{ tools: ['kb.search'] }], { tool: 'kbxsearch' }, 'allow', 'default-reads'],
    ['does not match a part of a name', [{ tools: ['kb'] }], {}, 'allow', 'default-reads'],
    [
      'does not match a longer name',
      [{ tools: ['kb.search'] }],
      { tool: 'kb.search2' },
      'allow',
      'default-reads',
    ],
    ['distinguishes case', [{ tools: ['KB.*'] }], {}, 'allow', 'default-reads'],
    // safety
    ['matches a safety class', [{ safety: ['read'] }], {}, 'deny', 'r'],
    ['does not match another safety class', [{ safety: ['external'] }], {}, 'allow', 'default-reads'],
    ['matches one of two safety classes', [{ safety: ['write', 'external'] }], write, 'deny', 'r'],
    // agents and principals
    ['matches an agent', [{ agents: ['default'] }], {}, 'deny', 'r'],
    ['does not match another agent', [{ agents: ['bot'] }], {}, 'allow', 'default-reads'],
    ['matches agents by pattern', [{ agents: ['support-*'] }], { agent: 'support-1' }, 'deny', 'r'],
    ['matches a principal', [{ principals: ['local'] }], {}, 'deny', 'r'],
    ['does not match another principal', [{ principals: ['team-*'] }], {}, 'allow', 'default-reads'],
    ['matches principals by pattern', [{ principals: ['team-*'] }], { principal: 'team-a' }, 'deny', 'r'],
    // all fields together
    ['needs every field to match', [{ tools: ['kb.*'], agents: ['bot'] }], {}, 'allow', 'default-reads'],
    ['matches if every field does', [{ tools: ['kb.*'], agents: ['default'] }], {}, 'deny', 'r'],
    // scope, deny: any part
    ['denies for a named project', [{ scope: { project_ids: ['p'] } }], {}, 'deny', 'r'],
    ['ignores other projects', [{ scope: { project_ids: ['q'] } }], {}, 'allow', 'default-reads'],
    ['denies for a named environment', [{ scope: { environments: ['prod'] } }], {}, 'deny', 'r'],
    ['ignores other environments', [{ scope: { environments: ['dev'] } }], {}, 'allow', 'default-reads'],
    // a project or environment that is not known, because the index can't be read
    ...(['deny', 'approve', 'review'] as const).flatMap((effect) =>
      [{ project_ids: ['q'] }, { environments: ['prod'] }].map(
        (scope): [string, object[], Partial<CallFacts>, string, string] => [
          `counts an unknown ${Object.keys(scope).join()} as named: ${effect}`,
          [
            { name: 'first', effect, scope },
            { name: 'then', effect: 'allow' },
          ],
          { scope: UNKNOWN },
          effect,
          'first',
        ],
      ),
    ),
    ...(['allow', 'notify'] as const).flatMap((effect) =>
      [{ project_ids: ['p'] }, { environments: ['prod'] }].map(
        (scope): [string, object[], Partial<CallFacts>, string, string] => [
          `counts an unknown ${Object.keys(scope).join()} as not named: ${effect}`,
          [{ effect, scope }],
          { ...write, scope: UNKNOWN },
          'deny',
          'default-deny',
        ],
      ),
    ),
    ['denies for a visible tag', [{ scope: { doc_tags: ['public', 'hr'] } }], {}, 'deny', 'r'],
    ['ignores tags that are not visible', [{ scope: { doc_tags: ['hr'] } }], {}, 'allow', 'default-reads'],
    ['denies if all repositories are visible', [{ scope: { repositories: ['x'] } }], {}, 'deny', 'r'],
    // scope, allow: the whole
    ...(
      [
        ['allows if all visible tags are named', { doc_tags: ['public', 'hr'] }, 'allow', 'r'],
        ['does not allow if one tag is not named', { doc_tags: ['hr'] }, 'deny', 'default-deny'],
        ['does not allow if all repositories are visible', { repositories: ['x'] }, 'deny', 'default-deny'],
        ['allows for the project', { project_ids: ['p'] }, 'allow', 'r'],
      ] as const
    ).map(([title, scope, effect, name]): [string, object[], Partial<CallFacts>, string, string] => [
      title,
      [{ scope, effect: 'allow' }],
      write,
      effect,
      name,
    ]),
    // approval
    ['has a call approved', [{ effect: 'approve' }], {}, 'approve', 'r'],
    ['has a write approved', [{ effect: 'approve' }], write, 'approve', 'r'],
    ['has a call reviewed', [{ effect: 'review' }], {}, 'review', 'r'],
    [
      'has a call approved that may see a named part',
      [{ effect: 'approve', scope: { doc_tags: ['public', 'hr'] } }],
      {},
      'approve',
      'r',
    ],
    [
      'has a call reviewed that may see everything',
      [{ effect: 'review', scope: { repositories: ['x'] } }],
      {},
      'review',
      'r',
    ],
    [
      'has no call approved that sees nothing of what is named',
      [{ effect: 'approve', scope: { doc_tags: ['hr'] } }],
      {},
      'allow',
      'default-reads',
    ],
    // time
    ['matches a day', [{ time: { days: ['wed'] } }], {}, 'deny', 'r'],
    ['ignores other days', [{ time: { days: ['tue', 'thu'] } }], {}, 'allow', 'default-reads'],
    ['matches a time of day', [{ time: { from: '10:00', to: '11:00' } }], {}, 'deny', 'r'],
    ['includes the first minute', [{ time: { from: '10:30', to: '11:00' } }], {}, 'deny', 'r'],
    ['excludes the last minute', [{ time: { from: '10:00', to: '10:30' } }], {}, 'allow', 'default-reads'],
    ['matches a span over midnight', [{ time: { from: '22:00', to: '11:00' } }], {}, 'deny', 'r'],
    [
      'counts a span over midnight to the day on which it begins',
      [{ time: { days: ['tue'], from: '22:00', to: '11:00' } }],
      {},
      'deny',
      'r',
    ],
    [
      'does not count a span over midnight to the next day',
      [{ time: { days: ['wed'], from: '22:00', to: '11:00' } }],
      {},
      'allow',
      'default-reads',
    ],
    [
      'reads the clock of a time zone',
      [{ time: { from: '11:00', to: '12:00', time_zone: 'Europe/Berlin' } }],
      {},
      'deny',
      'r',
    ],
    [
      'reads the day of a time zone',
      [{ time: { days: ['thu'], time_zone: 'Asia/Tokyo' } }],
      { at: WEDNESDAY + hours(5) },
      'deny',
      'r',
    ],
    [
      'matches the whole day without times',
      [{ time: { days: ['wed'] } }],
      { at: WEDNESDAY + hours(13) },
      'deny',
      'r',
    ],
    [
      'ends a day at midnight',
      [{ time: { days: ['wed'] } }],
      { at: WEDNESDAY + hours(14) },
      'allow',
      'default-reads',
    ],
  ])('%s', (_, rules, facts, effect, name) => {
    expect(decideCall(rules.map(rule), aCall(facts))).toMatchObject({ effect, rule: name });
  });

  it('does not allow a call that may see nothing by a rule for some documents', () => {
    const rules = [rule({ scope: { doc_tags: ['public'] }, effect: 'allow' })];
    const scope = { projectId: 'p', environment: 'prod', docTags: [], repositories: null };
    expect(decideCall(rules, aCall({ safety: 'write', scope }))).toMatchObject({ rule: 'default-deny' });
  });

  it('denies a tool that stands for a denied one, and names the denied one', () => {
    const rules = [rule({ tools: ['kb.retrieve_evidence'], reason: 'Not during the audit.' })];
    expect(decideCall(rules, aCall({ tool: 'get_doc' }), ['kb.search', 'kb.retrieve_evidence'])).toEqual({
      effect: 'deny',
      rule: 'r',
      tool: 'kb.retrieve_evidence',
      reason: 'Not during the audit.',
      approval: null,
    });
  });

  it.each<[string, object, object, string]>([
    ['an approval before a notification', { effect: 'notify' }, { effect: 'approve' }, 'behind'],
    ['a review before an approval', { effect: 'review' }, { effect: 'approve' }, 'called'],
    ['a denial before a review', { effect: 'review' }, { effect: 'deny' }, 'behind'],
    [
      'an approval by an operator before one by the caller',
      { effect: 'approve', approver: 'caller' },
      { effect: 'approve' },
      'behind',
    ],
  ])('takes %s', (_, called, behind, expected) => {
    const rules = [
      rule({ name: 'called', tools: ['get_doc'], ...called }),
      rule({ name: 'behind', tools: ['kb.search'], ...behind }),
    ];
    expect(decideCall(rules, aCall({ tool: 'get_doc' }), ['kb.search'])).toMatchObject({ rule: expected });
  });

  it('takes no other tool into account for a call that stands for none', () => {
    const rules = [rule({ name: 'search', tools: ['kb.search'], effect: 'allow' }), rule({})];
    expect(decideCall(rules, aCall())).toMatchObject({ effect: 'allow', rule: 'search' });
  });

  it('takes the documents that a writing tool returns as read', () => {
    const allowed = [rule({ name: 'claims', tools: ['claim.*'], effect: 'allow' })];
    const create = aCall({ tool: 'claim.create', safety: 'write' });
    expect(decideCall(allowed, create, ['kb.search'])).toMatchObject({ effect: 'allow', rule: 'claims' });
    const denied = [...allowed, rule({ name: 'no-search', tools: ['kb.search'] })];
    expect(decideCall(denied, create, ['kb.search'])).toMatchObject({ effect: 'deny', rule: 'no-search' });
  });

  it('returns who approves and how long a request lives', () => {
    const approve = rule({
      effect: 'approve',
      approver: 'caller',
      expires_in_minutes: 5,
      reason: 'Costs money.',
    });
    expect(decideCall([approve], aCall()).approval).toEqual({
      effect: 'approve',
      approver: 'caller',
      reason: 'Costs money.',
      lifetimeMs: 300_000,
    });
    expect(decideCall([rule({ effect: 'review' })], aCall()).approval).toMatchObject({
      approver: 'operator',
      lifetimeMs: 3_600_000,
    });
  });

  it('takes the decision about the called tool if it is as strict as the others', () => {
    expect(decideCall([], aCall({ tool: 'get_doc' }), ['kb.search'])).toMatchObject({ tool: 'get_doc' });
  });
});

describe('askOperator', () => {
  it.each<[string, object, string, string | undefined]>([
    ['lets an allowed call wait', { effect: 'allow' }, 'approve', 'operator'],
    ['lets a call wait that is reported', { effect: 'notify' }, 'approve', 'operator'],
    ['takes the approval from the caller', { effect: 'approve', approver: 'caller' }, 'approve', 'operator'],
    ['keeps two operators', { effect: 'review' }, 'review', 'operator'],
    ['keeps a denial', { effect: 'deny' }, 'deny', undefined],
  ])('%s', (_, fields, effect, approver) => {
    const decision = askOperator(decideCall([rule(fields)], aCall()));
    expect([decision.effect, decision.approval?.approver]).toEqual([effect, approver]);
    expect([decision.rule, decision.approval?.effect]).toEqual(['r', effect === 'deny' ? undefined : effect]);
  });

  it('keeps the reason and the time of the rule', () => {
    const given = rule({ effect: 'approve', approver: 'caller', expires_in_minutes: 5, reason: 'Why.' });
    expect(askOperator(decideCall([given], aCall())).approval).toMatchObject({
      reason: 'Why.',
      lifetimeMs: 300_000,
    });
    const allowed = rule({ effect: 'allow', reason: 'Why.' });
    expect(askOperator(decideCall([allowed], aCall())).approval).toMatchObject({
      reason: 'Why.',
      lifetimeMs: 3_600_000,
    });
  });
});

describe('isAlwaysDenied', () => {
  const facts = { tool: 'kb.search', safety: 'read', agent: 'default', principal: 'local' } as const;

  it.each<[string, object[], boolean]>([
    ['is true for a denial without conditions', [{}], true],
    ['is false without rules, for a read', [], false],
    ['is false for a denial at some times', [{ time: { days: ['sun'] } }], false],
    ['is false for a denial of some documents', [{ scope: { doc_tags: ['hr'] } }], false],
    [
      'is false if the tool is allowed at some times',
      [{ name: 'a', effect: 'allow', time: { days: ['sun'] } }, {}],
      false,
    ],
    ['is true for a denial behind one at some times', [{ name: 'a', time: { days: ['sun'] } }, {}], true],
    ['is false for a call that needs approval', [{ effect: 'review' }], false],
    ['is true for a denial before an approval', [{ name: 'a' }, { effect: 'approve' }], true],
    ['is false for the denial of another agent', [{ agents: ['bot'] }], false],
  ])('%s', (_, rules, expected) => {
    expect(isAlwaysDenied(rules.map(rule), facts)).toBe(expected);
  });

  it('is true for a write without rules', () => {
    expect(isAlwaysDenied([], { ...facts, safety: 'write' })).toBe(true);
  });
});
