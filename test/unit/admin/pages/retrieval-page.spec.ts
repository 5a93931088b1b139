import { retrievalPage } from '../../../../src/admin/pages/retrieval-page.js';
import {
  aDiagnosticCandidate,
  aDiagnosticHit,
  aDiagnosticRecord,
  aLeftOutCandidate,
} from '../../../support/a-diagnostic.js';
import { FRAME } from '../../../support/admin-parts.js';
import { STORIES } from '../../../support/retrieval-stories.js';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus='alert(1)",
  '</title><svg/onload=alert(1)>',
  '--><script>alert(1)</script>',
  'javascript:alert(1)',
  '\u202egnp.exe\u0000\u001b[31m',
  '&lt;b&gt;${x}`\ud800',
].join('#');

/** A record in which every text is hostile. */
const hostile = aDiagnosticRecord({
  ...{ tool: HOSTILE, session_id: HOSTILE, principal: HOSTILE, correlation_id: HOSTILE, generation: HOSTILE },
  request: { [HOSTILE]: HOSTILE },
  degraded: [HOSTILE],
  answerable: { verdict: HOSTILE, confidence: 0.5 },
  results: [
    aDiagnosticCandidate({
      ...{ chunk_id: HOSTILE, doc_tag: HOSTILE, source: HOSTILE },
      explain: { rrf_field_contributions: { [HOSTILE]: 1 }, graph_path: [HOSTILE, HOSTILE] },
    }),
  ],
  left_out: [aLeftOutCandidate({ chunk_id: HOSTILE, fate: 'near_duplicate', instead: HOSTILE })],
  pre_dedupe: [aDiagnosticHit({ chunk_id: HOSTILE, instead: HOSTILE })],
  query: {
    raw: HOSTILE,
    normalized: HOSTILE,
    rewritten: { applied: true, result: HOSTILE, reason: HOSTILE },
  },
  scope: {
    ...{ project_id: HOSTILE, environment: HOSTILE, doc_tag: HOSTILE, embedding_version: HOSTILE },
    repositories: [HOSTILE],
  },
  config: { fusion: { method: HOSTILE, params: { [HOSTILE]: 1 } } },
  otel: { trace_id: HOSTILE, span_id: HOSTILE },
  budgets: { limit_reason: HOSTILE },
});

/** Names of elements and attributes, and targets of links. */
const tagsOf = (page: string): string[] =>
  [...page.matchAll(/<([a-z!][\w-]*)/gi)].map(([, name]) => name ?? '');

describe('retrievalPage', () => {
  it.each([
    ['ids of sections', hostile],
    ['messages', { ...hostile, error: { code: HOSTILE, reason: HOSTILE, message: HOSTILE } }],
  ])('shows hostile %s as text', (_, record) => {
    const harmless = retrievalPage(STORIES.cut, 'x', FRAME);
    const page = retrievalPage(record, HOSTILE, FRAME);
    const known = new Set([...tagsOf(harmless), ...tagsOf(retrievalPage(STORIES.unlikely, 'x', FRAME))]);
    expect(
      [...new Set(tagsOf(page))].filter((name) => !known.has(name) && !['pre', 'q', 'strong'].includes(name)),
    ).toEqual([]);
    expect(page).not.toMatch(/<(?:script|img)/);
    expect(page).not.toMatch(/ on\w+=["']/);
    expect(page).not.toContain('\u0000');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('links only to its own pages', () => {
    const page = retrievalPage(hostile, HOSTILE, FRAME);
    const links = [...page.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, link]) => link ?? '');
    expect(links.filter((link) => !/^(?:\/admin|\?section=|#main$|data:image\/svg)/.test(link))).toEqual([]);
  });

  it('shows the verdict first', () => {
    const page = retrievalPage(STORIES.nothing, '', FRAME);
    expect(page.indexOf('Nothing found: 0 sections matched')).toBeLessThan(page.indexOf('<form'));
  });

  it.each([
    ['reference/7.5/Microsoft.PowerShell.Core/Enable-ExperimentalFeature.md#examples', 'at position 3'],
    [
      'reference/7.4/Microsoft.PowerShell.Core/About/about_Feedback_Providers.md#long-description',
      'near duplicate is listed in its place',
    ],
    ['unknown.md', 'pith diagnostics why'],
  ])('shows where %s was lost', (id, told) => {
    expect(retrievalPage(STORIES.unlikely, id, FRAME).split('role="status"')[1]).toContain(told);
  });

  it('shows at most a hundred candidates of each kind, and the number of others', () => {
    const results = Array.from({ length: 250 }, (_, i) => aDiagnosticCandidate({ chunk_id: `a.md#${i}` }));
    const page = retrievalPage(aDiagnosticRecord({ results }), '', FRAME);
    expect(page).toContain('a.md#99');
    expect(page).not.toContain('a.md#100');
    expect(page).toContain('150 more sections in the JSON of this record');
  });
});
