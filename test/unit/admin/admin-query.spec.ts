import { AdminFailure } from '../../../src/admin/admin-failure.js';
import {
  parseId,
  parseListQuery,
  parseSectionQuery,
  parseSettingsQuery,
  toFilter,
} from '../../../src/admin/admin-query.js';
import { parseDecision } from '../../../src/governance/pages/approvals/approvals.controller.js';
import { parsePolicyQuery } from '../../../src/governance/pages/policy/policy.controller.js';
import { parseRunsQuery } from '../../../src/governance/pages/runs/runs.controller.js';

describe('parseListQuery', () => {
  it('accepts every filter', () => {
    const query = parseListQuery({
      ...{
        tool: 'kb.search',
        since: '2026-01-01T10:00',
        until: '2026-01-02T00:00:00+01:00',
        outcome: 'error',
      },
      ...{ error_code: 'TIMEOUT', degraded: '1', partial: 'false', min_ms: '12.5', session_id: 's' },
      ...{ principal: 'p', answerable: 'unlikely', limit: '500', cursor: 'c' },
    });
    expect(toFilter(query)).toEqual({
      ...{ tool: 'kb.search', since: '2026-01-01T10:00:00.000Z', until: '2026-01-01T23:00:00.000Z' },
      ...{ outcome: 'error', errorCode: 'TIMEOUT', isDegraded: true, isPartial: false, minTotalMs: 12.5 },
      ...{ sessionId: 's', principal: 'p', answerable: 'unlikely' },
    });
    expect(query).toMatchObject({ limit: 500, cursor: 'c' });
  });

  it('ignores empty form fields', () => {
    expect(parseListQuery({ tool: '', min_ms: '', since: '' })).toEqual({});
  });

  it.each<Record<string, unknown>>([
    { limit: '0' },
    { limit: '501' },
    { limit: 'many' },
    { limit: '1.5' },
    { min_ms: '-1' },
    { min_ms: 'NaN' },
    { min_ms: '1e99' },
    { since: 'yesterday' },
    { since: '2026-13-01' },
    { since: '1' },
    { outcome: 'good' },
    { degraded: 'maybe' },
    { answerable: 'perhaps' },
    { tool: ['a', 'b'] },
    { tool: { a: 'b' } },
    { tool: 'x'.repeat(257) },
    { cursor: 'x'.repeat(1_025) },
    { unknown: '1' },
    { __proto__: null, constructor: 'x' },
  ])('rejects %j', (query) => {
    expect(() => parseListQuery(query)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('limits the message to 500 characters', () => {
    const query = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`unknown_${i}`, '1']));
    try {
      parseListQuery(query);
    } catch (error) {
      expect((error as AdminFailure).message.length).toBeLessThanOrEqual(500);
    }
    expect.assertions(1);
  });
});

describe('a text field of a form', () => {
  const decide = (note: string) => parseDecision({ token: 't', decision: 'reject', note });

  it.each([
    ['the session of a retrieval', (text: string) => parseListQuery({ session_id: text })],
    ['the principal of a retrieval', (text: string) => parseListQuery({ principal: text })],
    ['a section', (text: string) => parseSectionQuery({ section: text })],
    ['a setting', (text: string) => parseSettingsQuery({ find: text })],
    ['the principal of a run', (text: string) => parseRunsQuery({ principal: text })],
    ['the agent of a run', (text: string) => parseRunsQuery({ agent: text })],
    ['the principal of a call', (text: string) => parsePolicyQuery({ principal: text })],
    ['the arguments of a call', (text: string) => parsePolicyQuery({ args: text })],
    ['a note', decide],
  ])('refuses characters that nobody can see: %s', (_, parse) => {
    expect(() => parse('ada\u202egnp')).toThrow('has a character that nobody can see: \\u202e');
    expect(() => parse('a\u200bda')).toThrow('\\u200b');
    expect(() => parse('a\u0007da')).toThrow('\\u0007');
    expect(() => parse('a\u{e0041}da')).toThrow('\\udb40\\udc41');
    expect(parse('می‌خواهم 👩‍🚀')).toBeDefined();
  });

  it('accepts lines in notes and arguments', () => {
    expect(decide('One.\r\n\tTwo.').note).toBe('One.\r\n\tTwo.');
    expect(parsePolicyQuery({ args: '{\n}' }).args).toBe('{\n}');
  });
});

describe('parseSectionQuery', () => {
  it('accepts any section id', () => {
    expect(parseSectionQuery({ section: '<b>&#%00' })).toBe('<b>&#%00');
    expect(parseSectionQuery({})).toBe('');
  });

  it('rejects an overlong id', () => {
    expect(() => parseSectionQuery({ section: 'x'.repeat(1_025) })).toThrow(AdminFailure);
  });
});

describe('parseId', () => {
  it('accepts a diagnostic id', () => {
    expect(parseId('0B4F3A52-6f30-4d6e-9c4b-0f6a5b1f2c3d')).toBe('0b4f3a52-6f30-4d6e-9c4b-0f6a5b1f2c3d');
  });

  it.each(['', '..', '../../etc/passwd', '0b4f3a52', '0b4f3a52-6f30-4d6e-9c4b-0f6a5b1f2c3d\u0000', '%2e%2e'])(
    'answers NOT_FOUND to %j',
    (id) => {
      expect(() => parseId(id)).toThrow(expect.objectContaining({ code: 'NOT_FOUND', status: 404 }));
    },
  );
});
