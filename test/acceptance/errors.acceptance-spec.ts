import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { failureOf, outcomeOf, refusalOf } from '../support/failures.js';
import { copyOfAnotherVersion, damagedCopy, foreignDatabase, holdIndex } from '../support/index-files.js';
import type { TestClient } from '../support/mcp-clients.js';
import { pithIndex, timed } from '../support/processes.js';
import { ONE_OF_EACH, openSite, OVER_HTTP, type Site, TRANSPORTS } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const QUESTION = { question: 'When does a ship leave the waiting list?' };

/** The place of an index that is created and removed while servers run. */
const changing = folder.file('changing.sqlite');

type Name =
  'plain' | 'guides' | 'otherProject' | 'unstructured' | 'noKb' | 'core' | 'small' | 'single' | 'changing';

let sites: Record<Name, Site>;

async function openAll(): Promise<Record<Name, Site>> {
  const withEnv = (env: Record<string, string>, transports = OVER_HTTP) =>
    openSite(index, { env, transports });
  const [plain, guides, small] = await Promise.all([
    openSite(index),
    openSite(index, { env: { PITH_DOC_TAGS: 'guide', PITH_REPOSITORIES: 'harbour-docs' } }),
    withEnv({ MAX_RESPONSE_BYTES: '1024' }, ONE_OF_EACH),
  ]);
  const [otherProject, noKb, core, single, unstructured, changingSite] = await Promise.all([
    withEnv({ PITH_PROJECT: 'another' }),
    withEnv({ MCP_KB_V2_ENABLED: 'false', MCP_LEGACY_TOOLS: 'off' }),
    withEnv({ MCP_TOOLSET: 'core' }),
    withEnv({ PITH_MAX_CONCURRENT_CALLS: '1' }),
    withEnv({ MCP_STRUCTURED_OUTPUT_ENABLED: 'false' }, ONE_OF_EACH),
    openSite(changing, { transports: ONE_OF_EACH }),
  ]);
  return { plain, guides, small, otherProject, noKb, core, single, unstructured, changing: changingSite };
}

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  sites = await openAll();
}, 40_000);

afterAll(async () => {
  await Promise.all(Object.values(sites ?? {}).map((site) => site.stop()));
  folder.remove();
});

describe.each(TRANSPORTS)('INVALID_ARGUMENT, for a %s client over %s', (era, transport) => {
  const call = (name: string, args: Record<string, unknown>) =>
    sites.plain.client(era, transport).call(name, args);

  it.each([
    ['kb.search', { query: 'ship', colour: 'red' }],
    ['kb.search', { query: 'ship', options: { colour: 'red' } }],
    ['kb.search', { query: 'ship', filters: { colour: 'red' } }],
    ['kb.search', { query: 'ship', scope: { colour: 'red' } }],
    ['kb.retrieve_evidence', { question: 'ship?', session_id: 'mine' }],
    ['kb.read_excerpt', { passage_id: 'x', path: '/etc/passwd' }],
    ['kb.expand_excerpt', { passage_id: 'x', max_tokens: 5 }],
    ['kb.extract_evidence', { question: 'ship?', passage_ids: ['x'], keywords: [] }],
    ['scope.describe', { verbose: true }],
    ['scratch.list', { session_id: 'another' }],
  ])('%s refuses unknown fields: %j', async (name, args) => {
    expect(failureOf(await call(name, args))).toEqual({ code: 'INVALID_ARGUMENT', reason: 'unknown_field' });
  });

  it('stays one line if a field name has two', async () => {
    const result = await call('kb.search', { query: 'ship', 'a field\nof two lines': 1 });
    expect(failureOf(result)).toEqual({ code: 'INVALID_ARGUMENT', reason: 'unknown_field' });
  });

  it.each([
    ['kb.search', {}],
    ['kb.search', { query: '' }],
    ['kb.search', { query: 7 }],
    ['kb.search', { query: null }],
    ['kb.search', { query: ['ship'] }],
    ['kb.search', { query: 'ship', top_k: 0 }],
    ['kb.search', { query: 'ship', top_k: 51 }],
    ['kb.search', { query: 'ship', top_k: 2.5 }],
    ['kb.search', { query: 'ship', top_k: 'five' }],
    ['kb.search', { query: 'ship', page_size: 0 }],
    ['kb.search', { query: 'ship', page_size: 51 }],
    ['kb.search', { query: 'ship', options: { max_snippet_chars: 59 } }],
    ['kb.search', { query: 'ship', options: { max_snippet_chars: 601 } }],
    ['kb.search', { query: 'ship', options: { max_per_doc: 0 } }],
    ['kb.search', { query: 'ship', options: { max_per_doc: 11 } }],
    ['kb.search', { query: 'ship', options: { mode: 'psychic' } }],
    ['kb.search', { query: 'ship', filters: { updated_after: 'yesterday' } }],
    ['kb.search', { query: 'ship', keywords: ['1', '2', '3', '4', '5', '6', '7', '8', '9'] }],
    ['kb.search', { query: 'ship', keywords: ['x'.repeat(81)] }],
    ['kb.search', { query: 'ship', scope: 'harbour' }],
    ['kb.retrieve_evidence', {}],
    ['kb.retrieve_evidence', { ...QUESTION, max_quotes: 13 }],
    ['kb.retrieve_evidence', { ...QUESTION, max_quotes: 0 }],
    ['kb.retrieve_evidence', { ...QUESTION, max_quote_tokens: 201 }],
    ['kb.retrieve_evidence', { ...QUESTION, include_context_tokens: 201 }],
    ['kb.retrieve_evidence', { ...QUESTION, include_context_tokens: -1 }],
    ['kb.retrieve_evidence', { ...QUESTION, parts: ['1', '2', '3', '4', '5'] }],
    ['kb.read_excerpt', {}],
    ['kb.read_excerpt', { passage_id: 'x'.repeat(1_025) }],
    ['kb.read_excerpt', { passage_id: 'x', max_tokens: 801 }],
    ['kb.read_excerpt', { passage_id: 'x', start_char: -1 }],
    ['kb.read_excerpt', { passage_id: 'x', options: { format: 'xml' } }],
    ['kb.expand_excerpt', { passage_id: 'x', before_tokens: -1 }],
    ['kb.extract_evidence', { ...QUESTION, passage_ids: [] }],
    ['kb.extract_evidence', { ...QUESTION, passage_ids: 5 }],
  ])('%s refuses wrong types and values out of bounds: %j', async (name, args) => {
    expect(failureOf(await call(name, args))).toEqual({ code: 'INVALID_ARGUMENT', reason: 'invalid_input' });
  });

  it('refuses a query of a megabyte and answers the next one', async () => {
    const refused = await call('kb.search', { query: 'ship '.repeat(200_000) });
    expect(failureOf(refused).code).toBe('INVALID_ARGUMENT');
    expect((await call('kb.search', { query: 'ship' })).isError).toBeUndefined();
  });

  it.each([
    '\u0000\u0001\u0002',
    'ship\u0000; DROP TABLE section',
    '\u001b[31mship\u001b[0m\u0007',
    '\ud800 ship \udc00',
    '\u202eship\u2066',
    '"ship" OR (NEAR * ^ -berth',
    "ship' --",
  ])('answers or cleanly refuses a query of odd characters: %j', async (query) => {
    const outcomes = [
      outcomeOf(await call('kb.search', { query, keywords: [query] })),
      outcomeOf(await call('kb.retrieve_evidence', { question: query })),
    ];
    expect(['ok', 'INVALID_ARGUMENT']).toEqual(expect.arrayContaining(outcomes));
  });

  it.each([
    'unknown',
    'A'.repeat(24),
    '../../etc/passwd',
    'guides/install.md#steps',
    '\u0000',
    'x'.repeat(1_024),
  ])('refuses the unknown passage %j, and says where to get one', async (passage_id) => {
    const answers = [
      await call('kb.read_excerpt', { passage_id }),
      await call('kb.expand_excerpt', { passage_id }),
      await call('kb.extract_evidence', { ...QUESTION, passage_ids: [passage_id] }),
    ];
    const refused = { code: 'INVALID_ARGUMENT', reason: 'passage_not_found' };
    expect(answers.map(failureOf)).toEqual([refused, refused, refused]);
    expect(answers[0]?.content[0]?.text).toContain('kb.search');
  });

  it('answers the same for a passage of another session', async () => {
    const owner = sites.guides.client('v1', 'stdio');
    const { quotes } = (await owner.call('kb.retrieve_evidence', QUESTION)).structuredContent as {
      quotes: { passage_id: string }[];
    };
    const foreign = await call('kb.read_excerpt', { passage_id: quotes[0]?.passage_id });
    const unknown = await call('kb.read_excerpt', { passage_id: 'A'.repeat(24) });
    expect(foreign.structuredContent).toEqual(unknown.structuredContent);
    expect(foreign.content).toEqual(unknown.content);
  });

  it('answers the same for a passage outside the scope of the call', async () => {
    const { structuredContent } = await call('kb.retrieve_evidence', QUESTION);
    const [quote] = structuredContent?.['quotes'] as { passage_id: string }[];
    const scope = { doc_tags: ['reference'] };
    const outside = await call('kb.read_excerpt', { passage_id: quote?.passage_id, scope });
    expect(failureOf(outside)).toEqual({ code: 'INVALID_ARGUMENT', reason: 'passage_not_found' });
  });

  it('refuses to read past the end of a passage', async () => {
    const { structuredContent } = await call('kb.retrieve_evidence', QUESTION);
    const [quote] = structuredContent?.['quotes'] as { passage_id: string }[];
    const result = await call('kb.read_excerpt', { passage_id: quote?.passage_id, start_char: 100_000 });
    expect(failureOf(result).code).toBe('INVALID_ARGUMENT');
  });

  it('answers an unknown tool as the protocol requires', async () => {
    expect(await refusalOf(call('kb.divine', {}))).toMatchObject({ code: -32602 });
  });
});

describe.each(OVER_HTTP)('a tool that is switched off, for a %s client over %s', (era, transport) => {
  const disabled = { code: 'INVALID_ARGUMENT', reason: 'feature_disabled' };

  it('is neither listed nor callable without MCP_KB_V2_ENABLED and MCP_LEGACY_TOOLS', async () => {
    const client = sites.noKb.client(era, transport);
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toEqual(['search_docs', 'get_doc', 'scope.describe', 'scratch.list']);
    expect(failureOf(await client.call('kb.search', { query: 'ship' }))).toEqual(disabled);
    expect(failureOf(await client.call('kb_search', { query: 'ship' }))).toEqual(disabled);
    expect(failureOf(await client.call('kb.retrieve_evidence', { nonsense: true }))).toEqual(disabled);
  });

  it('is neither listed nor callable outside MCP_TOOLSET=core', async () => {
    const client = sites.core.client(era, transport);
    const names = (await client.listTools()).map(({ name }) => name);
    expect([...names].sort()).toEqual(['kb.read_excerpt', 'kb.retrieve_evidence', 'kb.search']);
    expect(failureOf(await client.call('scope.describe'))).toEqual(disabled);
    expect((await client.call('kb.search', { query: 'ship' })).isError).toBeUndefined();
  });
});

describe.each(TRANSPORTS)('SCOPE_VIOLATION, for a %s client over %s', (era, transport) => {
  const TOOLS: [string, Record<string, unknown>][] = [
    ['kb.search', { query: 'ship' }],
    ['kb.retrieve_evidence', QUESTION],
    ['kb.read_excerpt', { passage_id: 'x' }],
    ['kb.expand_excerpt', { passage_id: 'x' }],
    ['kb.extract_evidence', { ...QUESTION, passage_ids: ['x'] }],
    ['scope.describe', {}],
  ];
  const call = (name: string, args: Record<string, unknown>) =>
    sites.guides.client(era, transport).call(name, args);

  it.each(TOOLS)('%s refuses another project', async (name, args) => {
    const result = await call(name, { ...args, scope: { project_id: 'another' } });
    expect(failureOf(result)).toEqual({ code: 'SCOPE_VIOLATION', reason: 'project_mismatch' });
  });

  it.each(TOOLS)('%s refuses another environment', async (name, args) => {
    const result = await call(name, { ...args, scope: { environment: 'prod' } });
    expect(failureOf(result)).toEqual({ code: 'SCOPE_VIOLATION', reason: 'environment_mismatch' });
  });

  it.each(TOOLS)('%s refuses doc_tags that are all outside', async (name, args) => {
    const result = await call(name, { ...args, scope: { doc_tags: ['reference'] } });
    expect(failureOf(result).code).toBe('SCOPE_VIOLATION');
  });

  it.each(TOOLS)('%s refuses repositories that are all outside', async (name, args) => {
    const result = await call(name, { ...args, scope: { repositories: ['elsewhere'] } });
    expect(failureOf(result).code).toBe('SCOPE_VIOLATION');
  });

  it('answers the same for tags that exist outside and tags that do not', async () => {
    const exists = await call('kb.search', { query: 'ship', scope: { doc_tags: ['reference'] } });
    const invented = await call('kb.search', { query: 'ship', scope: { doc_tags: ['invented'] } });
    const withoutId = ({ structuredContent }: typeof exists): string =>
      JSON.stringify(structuredContent).replace(/"diagnostic_id":"[^"]*"/, '');
    expect(withoutId(exists)).toEqual(withoutId(invented));
  });

  it('is limited to the tags inside if only some are', async () => {
    const result = await call('scope.describe', { scope: { doc_tags: ['guide', 'reference'] } });
    expect(result.structuredContent).toMatchObject({
      documents: 3,
      doc_tags: [expect.objectContaining({ name: 'guide' })],
    });
  });

  it('shows nothing outside the configured tags, whatever the filters say', async () => {
    const filters = { doc_tag: ['reference', 'index'] };
    const found = await call('kb.search', { query: 'RateLimitError glossary roads', filters });
    const evidence = await call('kb.retrieve_evidence', { question: 'What throws RateLimitError?' });
    expect(found.structuredContent).toMatchObject({ results: [] });
    expect(JSON.stringify(evidence)).not.toContain('reference/');
  });

  it('accepts its own project and environment', async () => {
    const scope = { project_id: 'harbour', environment: 'dev', doc_tags: [], repositories: [] };
    expect((await call('kb.search', { query: 'ship', scope })).isError).toBeUndefined();
  });
});

describe.each(ONE_OF_EACH)('BACKEND_UNAVAILABLE, for a %s client over %s', (era, transport) => {
  /** Replaces the file with another one, as a move does. */
  function place(make: (file: string) => void): void {
    const fresh = folder.file('fresh.sqlite');
    rmSync(fresh, { force: true });
    make(fresh);
    renameSync(fresh, changing);
  }

  it.each([
    [
      'is no database',
      'index_incompatible',
      (file: string) => writeFileSync(file, 'A letter.\n'.repeat(900)),
    ],
    ['is empty', 'index_missing', (file: string) => writeFileSync(file, '')],
    ['another version built', 'index_incompatible', (file: string) => copyOfAnotherVersion(index, file)],
    ['is damaged', 'index_incompatible', (file: string) => damagedCopy(index, file)],
    ['is damaged at its end', 'index_incompatible', (file: string) => damagedCopy(index, file, 100_000)],
    ['is a database of another program', 'index_incompatible', foreignDatabase],
  ])('reports an index that %s: %s', async (_, reason, make) => {
    place(make);
    const client = sites.changing.client(era, transport);
    const answers = [
      await client.call('kb.search', { query: 'ship' }),
      await client.call('kb.retrieve_evidence', QUESTION),
      await client.call('scope.describe'),
    ];
    const unavailable = { code: 'BACKEND_UNAVAILABLE', reason };
    expect(answers.map(failureOf)).toEqual([unavailable, unavailable, unavailable]);
    expect(answers[0]?.content[0]?.text).toContain('pith index');
  });

  it('reports a missing index as index_missing, until it appears', async () => {
    rmSync(changing, { force: true });
    const client = sites.changing.client(era, transport);
    const before = await client.call('kb.search', { query: 'ship' });
    place((file) => copyFileSync(index, file));
    const after = await client.call('kb.search', { query: 'ship' });
    expect(failureOf(before)).toEqual({ code: 'BACKEND_UNAVAILABLE', reason: 'index_missing' });
    expect(after.structuredContent).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ rank: 1 })]),
    });
  });
});

describe.each(OVER_HTTP)(
  'an index of another project than PITH_PROJECT, for a %s client over %s',
  (era, transport) => {
    it('is not used for answers', async () => {
      const result = await sites.otherProject.client(era, transport).call('kb.search', { query: 'ship' });
      expect(failureOf(result)).toEqual({ code: 'BACKEND_UNAVAILABLE', reason: 'index_incompatible' });
      expect(result.content[0]?.text).toContain('PITH_PROJECT');
      expect(JSON.stringify(result)).not.toContain('harbour');
    });
  },
);

describe.each(ONE_OF_EACH)('BUDGET_EXCEEDED, for a %s client over %s', (era, transport) => {
  it('limits the rate of a caller and says when to retry', async () => {
    const site = await openSite(index, {
      env: { PITH_RATE_PER_MINUTE: '3' },
      transports: [[era, transport]],
    });
    const client = site.client(era, transport);
    const search = () => client.call('kb.search', { query: 'ship' });
    const answers = [await search(), await search(), await search(), await search()];
    const read = await refusalOf(client.readResource('wekadocs://scratch/a/b'));
    await site.stop();
    expect(answers.map(outcomeOf)).toEqual(['ok', 'ok', 'ok', 'BUDGET_EXCEEDED']);
    expect(answers[3]?.structuredContent).toMatchObject({
      error: { details: { reason: 'rate_limited', retry_after_s: expect.any(Number) } },
    });
    expect(read).toMatchObject({ data: { code: 'BUDGET_EXCEEDED' } });
  });

  it.each<[string, (client: TestClient) => Promise<unknown>]>([
    ['of unknown tools', (client) => client.call('kb.divine')],
    ['of unknown resources', (client) => client.readResource('nothing://a/b')],
    ['of unknown prompts', (client) => client.getPrompt('nothing')],
    ['outside the scope', (client) => client.call('kb.search', { query: 'x', scope: { project_id: 'no' } })],
    ['of tools that are turned off', (client) => client.call('search_documentation', { query: 'x' })],
  ])('limits the rate of calls %s', async (_, refused) => {
    const site = await openSite(index, {
      env: { PITH_RATE_PER_MINUTE: '2' },
      transports: [[era, transport]],
    });
    const client = site.client(era, transport);
    for (let i = 0; i < 2; i++) await refused(client).catch(() => null);
    const answer = await client.call('kb.divine');
    await site.stop();
    expect(failureOf(answer)).toEqual({ code: 'BUDGET_EXCEEDED', reason: 'rate_limited' });
  });

  it.each([
    ['kb.search', { query: 'ship berth harbour', top_k: 50, page_size: 50 }, 'BUDGET_EXCEEDED'],
    ['kb.search', { query: 'ship berth harbour', top_k: 50, page_size: 2 }, 'ok'],
    ['kb.retrieve_evidence', { ...QUESTION, max_quotes: 12, max_quote_tokens: 200 }, 'BUDGET_EXCEEDED'],
    ['scope.describe', {}, 'ok'],
    ['scratch.list', {}, 'ok'],
  ])('keeps %s with %j within MAX_RESPONSE_BYTES: %s', async (name, args, outcome) => {
    const result = await sites.small.client(era, transport).call(name, args);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(1_024);
    expect(outcomeOf(result)).toBe(outcome);
  });

  it('is returned if not even one item fits', async () => {
    const client = sites.small.client(era, transport);
    const question = 'HARBOUR-1017 database is not reachable host name harbour.conf firewall port 5432';
    const result = await client.call('kb.retrieve_evidence', { question, options: { include_debug: true } });
    expect(failureOf(result)).toEqual({ code: 'BUDGET_EXCEEDED', reason: 'response_bytes' });
  });
});

describe.each(OVER_HTTP)('too many calls at once, by a %s client over %s', (era, transport) => {
  it('are refused, and accepted again afterwards', async () => {
    const client = sites.single.client(era, transport);
    const calls = Array.from({ length: 12 }, () => client.call('kb.search', { query: 'ship' }));
    const answers = await Promise.all(calls);
    const refused = answers.filter((answer) => answer.isError);
    expect(new Set(answers.map(outcomeOf))).toEqual(new Set(['ok', 'BUDGET_EXCEEDED']));
    expect(refused.map(failureOf)).toEqual(
      refused.map(() => ({ code: 'BUDGET_EXCEEDED', reason: 'concurrency' })),
    );
    expect((await client.call('kb.search', { query: 'ship' })).isError).toBeUndefined();
  });
});

describe.each(ONE_OF_EACH)('TIMEOUT, for a %s client over %s', (era, transport) => {
  it('is returned at the deadline if another process locks the index', async () => {
    const file = folder.file(`held ${transport}.sqlite`);
    copyFileSync(index, file);
    const letGo = holdIndex(file);
    const site = await openSite(file, {
      env: { PITH_CALL_TIMEOUT_MS: '150' },
      transports: [[era, transport]],
    });
    const { value, ms } = await timed(site.client(era, transport).call('kb.search', { query: 'ship' }));
    letGo();
    await site.stop();
    expect(failureOf(value).code).toBe('TIMEOUT');
    expect(ms).toBeLessThan(2_000);
  });
});

describe.each(ONE_OF_EACH)(
  'MCP_STRUCTURED_OUTPUT_ENABLED=false, for a %s client over %s',
  (era, transport) => {
    it('advertises no output schema', async () => {
      const tools = await sites.unstructured.client(era, transport).listTools();
      expect(tools.filter((tool) => 'outputSchema' in tool)).toEqual([]);
    });

    it.each([
      ['kb.search', { query: 'ship' }, 'results'],
      ['kb.retrieve_evidence', QUESTION, 'quotes'],
      ['scope.describe', {}, 'doc_tags'],
      ['kb.search', { query: '' }, 'error'],
      ['kb.search', { query: 'ship', scope: { project_id: 'another' } }, 'error'],
      ['kb.read_excerpt', { passage_id: 'unknown' }, 'error'],
    ])('returns %s %j as minified JSON text alone, with %s', async (name, args, field) => {
      const result = await sites.unstructured.client(era, transport).call(name, args);
      const text = String(result.content[0]?.text);
      const parsed: unknown = JSON.parse(text);
      expect(result).not.toHaveProperty('structuredContent');
      expect(result.content).toHaveLength(1);
      expect(parsed).toHaveProperty(field);
      expect(text).toBe(JSON.stringify(parsed));
      expect(result.isError ?? false).toBe(field === 'error');
    });
  },
);
