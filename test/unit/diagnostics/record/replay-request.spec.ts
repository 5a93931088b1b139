import { redactArguments, REDACTED } from '../../../../src/diagnostics/record/redact';
import { replayRequest, retrievalToolNamed } from '../../../../src/diagnostics/record/replay-request';
import { aDiagnosticRecord } from '../../../support/a-diagnostic';

const QUERY = 'how do I use it?';
const SENT = {
  query: QUERY,
  keywords: ['moorings', 'crane'],
  top_k: 5,
  cursor: 'abc',
  scope: { doc_tags: ['a'] },
  filters: { doc_tag: ['guide'], path_prefix: 'guides/' },
  options: { mode: 'auto', max_per_doc: 2 },
  diagnostic_debug: true,
};
const stored = aDiagnosticRecord({ request: SENT, query: { raw: QUERY } });
const redacted = aDiagnosticRecord({ request: { ...SENT, ...redactArguments(SENT) } });

describe('retrievalToolNamed', () => {
  it.each([
    ['kb.search', 'kb.search'],
    ['index.search', 'kb.search'],
    ['graph.expand', null],
    ['constructor', null],
  ])('names the tool to repeat a call of %s: %s', (name, tool) => {
    expect(retrievalToolNamed(name)).toBe(tool);
  });
});

describe('replayRequest', () => {
  it('repeats all stored arguments except those that apply to one call only', () => {
    const { query, keywords, top_k, filters, options } = SENT;
    const asked = { query, keywords, top_k, filters, options };
    expect(replayRequest(stored, {})).toEqual({ request: asked, isSameQuery: true, missing: [] });
  });

  it('uses the given query, and reports whether it is the recorded one', () => {
    expect(replayRequest(redacted, { query: QUERY })).toMatchObject({
      request: { query: QUERY },
      isSameQuery: true,
    });
    expect(replayRequest(redacted, { query: 'Other?' }).isSameQuery).toBe(false);
    expect(replayRequest(stored, { query: 'Other?' })).toMatchObject({
      request: { query: 'Other?' },
      isSameQuery: false,
    });
    const hashless = aDiagnosticRecord({ query: { query_hash: null } });
    expect(replayRequest(hashless, { query: 'x' }).isSameQuery).toBeNull();
  });

  it('omits arguments that were not stored, and names them', () => {
    expect(replayRequest(redacted, { query: QUERY })).toEqual({
      request: { query: QUERY, top_k: 5, filters: {}, options: { mode: 'auto', max_per_doc: 2 } },
      isSameQuery: true,
      missing: ['keywords', 'filters.doc_tag', 'filters.path_prefix'],
    });
  });

  it('uses given values for arguments that were not stored', () => {
    const given = {
      query: QUERY,
      keywords: ['crane'],
      filters: { doc_tag: ['guide'], path_prefix: 'guides/' },
    };
    expect(replayRequest(redacted, given)).toMatchObject({
      request: { keywords: ['crane'], filters: { doc_tag: ['guide'], path_prefix: 'guides/' } },
      missing: [],
    });
  });

  it('uses the query field of the tool', () => {
    const record = aDiagnosticRecord({ request: { question: REDACTED, parts: [REDACTED] } });
    const { request } = replayRequest(record, { query: QUERY, parts: ['One?'] });
    expect(request).toEqual({ question: QUERY, parts: ['One?'] });
  });

  it.each([
    ['the text is neither stored nor given', redacted, 'query_text_missing'],
    ['the stored query is not a text', aDiagnosticRecord({ request: { query: 7 } }), 'query_text_missing'],
    ['no arguments are stored', aDiagnosticRecord({ request: null }), 'request_not_stored'],
  ])('refuses if %s', (_, record, reason) => {
    expect(() => replayRequest(record, {})).toThrow(expect.objectContaining({ reason }));
  });

  it('treats argument names as plain names', () => {
    const record = aDiagnosticRecord({
      request: JSON.parse(`{"query":"${REDACTED}","__proto__":"x","constructor":1}`),
    });
    const { request } = replayRequest(record, { query: QUERY });
    expect(Object.keys(request).sort()).toEqual(['__proto__', 'constructor', 'query']);
  });
});
