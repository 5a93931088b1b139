import fc from 'fast-check';
import picomatch from 'picomatch';
import {
  type CallFacts,
  canMatchBelow,
  canMatchPrincipal,
  matchesPattern,
  matchesRule,
} from '../../../../src/governance/policy/match-rule.js';
import { type PolicyRule, policyRuleSchema } from '../../../../src/governance/policy/policy-rule.js';

/** Few letters, so that names repeat what stands between the stars of patterns. */
const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_', '-'), maxLength: 6 });
const pattern = fc.array(fc.oneof(name, fc.constant('*')), { maxLength: 5 }).map((parts) => parts.join(''));
/** A pattern, and a name that it often matches: each star is replaced. */
const pair = fc
  .tuple(pattern, fc.array(name, { minLength: 5, maxLength: 5 }), name, fc.boolean())
  .map(([given, texts, other, isMeant]) => {
    let at = 0;
    return [given, isMeant ? given.replaceAll('*', () => texts[at++] ?? '') : other] as const;
  });

/** Tries every place of every star. */
function matchesSlowly(given: string, text: string): boolean {
  if (given === '') return text === '';
  if (given.startsWith('*'))
    return [...text, ''].some((_, i) => matchesSlowly(given.slice(1), text.slice(i)));
  return text !== '' && given[0] === text[0] && matchesSlowly(given.slice(1), text.slice(1));
}

describe('matchesPattern', () => {
  it('is the same as trying every place of every star', () => {
    fc.assert(
      fc.property(pair, ([given, text]) => matchesPattern(given, text) === matchesSlowly(given, text)),
      { numRuns: 2_000 },
    );
  });

  it('is the same as picomatch for names of tools', () => {
    const options = {
      dot: true,
      nobrace: true,
      nobracket: true,
      noextglob: true,
      noglobstar: true,
      nonegate: true,
    };
    const segment = fc.string({ unit: fc.constantFrom('a', 'b', 'k', '_'), minLength: 1, maxLength: 5 });
    const tool = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
    const tools = fc.array(fc.oneof(segment, fc.constant('*')), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(tools, tool, (parts, text) => {
        const given = parts.join('.').replace(/\*{2,}/g, '*');
        return matchesPattern(given, text) === picomatch(given, options)(text);
      }),
      { numRuns: 500 },
    );
  });

  it.each<[string, string, boolean]>([
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'a-x-c', false],
    ['a*bb*b', 'abb', false],
    ['a*bb*b', 'abbb', true],
    ['*b*', 'abc', true],
    ['*x*', 'abc', false],
    ['a*a', 'a', false],
    ['ab*bc', 'abc', false],
    ['a*', 'a', true],
    ['*a', 'a', true],
    ['**', '', true],
    ['', '', true],
    ['', 'a', false],
    ['a*b*b*c', 'abc', false],
    ['kb.[s]earch', 'kb.search', false],
    ['kb.searc?', 'kb.search', false],
    ['kb+search', 'kb.search', false],
  ])('%s matches %s: %s', (given, text, expected) => {
    expect(matchesPattern(given, text)).toBe(expected);
  });
});

describe('canMatchBelow', () => {
  it('is true if some longer name matches', () => {
    fc.assert(
      fc.property(pair, name, ([given, text], start) =>
        text.startsWith(start) && text !== start && matchesPattern(given, text)
          ? canMatchBelow(given, start)
          : true,
      ),
    );
  });

  it.each<[string, boolean]>([
    ['files.read', true],
    ['files.*', true],
    ['f*', true],
    ['*.read', true],
    ['files.read*', true],
    ['files.', false],
    ['files', false],
    ['file.*', false],
    ['g*', false],
  ])('%s for what is below files.: %s', (given, expected) => {
    expect(canMatchBelow(given, 'files.')).toBe(expected);
  });
});

describe('canMatchPrincipal', () => {
  it.each<[string, boolean]>([
    ['team', true],
    ['te*', true],
    ['team:ada', true],
    ['*:ada', true],
    ['other:ada', false],
    ['ada', false],
  ])('%s for the entry team: %s', (given, expected) => {
    expect(canMatchPrincipal(given, 'team')).toBe(expected);
  });
});

describe('matchesRule', () => {
  const rule = (fields: object): PolicyRule =>
    policyRuleSchema.parse({ name: 'r', effect: 'deny', ...fields });
  const scope = { projectId: 'p', environment: 'prod', docTags: ['public'], repositories: ['web'] };
  const facts: CallFacts = {
    ...{ tool: 'kb.search', safety: 'read' as const, agent: 'default' },
    ...{ principal: 'team:ada@b.example', at: 0, scope },
  };

  it.each<[object, boolean]>([
    [{ principals: ['team'] }, true],
    [{ principals: ['te*'] }, true],
    [{ principals: ['*ada'] }, false],
    [{ principals: ['team:ada@*'] }, true],
    [{ principals: ['*:ada@b.example'] }, true],
    [{ principals: ['other', 'team:*'] }, true],
    [{ principals: ['ada'] }, false],
    [{ scope: { repositories: ['web'], doc_tags: ['hr'] } }, false],
    [{ scope: { repositories: ['web'], doc_tags: ['hr', 'public'] } }, true],
    [{ scope: { project_ids: ['q'], repositories: ['web'] } }, false],
    [{ scope: { environments: ['dev'], repositories: ['web'] } }, false],
    [{ scope: { repositories: ['docs'], doc_tags: ['public'] } }, false],
  ])('%j: %s', (fields, expected) => {
    expect(matchesRule(rule(fields), facts)).toBe(expected);
  });

  it.each<[string, string, string, boolean]>([
    ['23:59', '00:00', '1970-01-01T23:59Z', true],
    ['23:59', '00:00', '1970-01-02T00:00Z', false],
    ['23:00', '01:00', '1970-01-02T00:59Z', true],
    ['23:00', '01:00', '1970-01-02T01:00Z', false],
    ['23:00', '01:00', '1970-01-02T22:59Z', false],
    ['08:05', '08:06', '1970-01-02T08:05Z', true],
    ['08:05', '08:06', '1970-01-02T08:06Z', false],
    ['00:00', '00:00', '1970-01-02T00:00Z', true],
  ])('from %s to %s at %s: %s', (from, to, at, expected) => {
    expect(matchesRule(rule({ time: { from, to } }), { ...facts, at: Date.parse(at) })).toBe(expected);
  });

  it('counts Sunday as the day before Monday', () => {
    const night = rule({ time: { days: ['sun'], from: '22:00', to: '02:00' } });
    const at = (time: string): boolean => matchesRule(night, { ...facts, at: Date.parse(time) });
    expect([at('2026-01-05T01:00Z'), at('2026-01-04T01:00Z'), at('2026-01-04T22:30Z')]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
