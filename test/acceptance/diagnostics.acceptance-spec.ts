import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { diagnosticRecordSchema } from '../../src/diagnostics/record/diagnostic-record.js';
import { corpusFolder, drawQueries } from '../support/corpora.js';
import {
  BOTH_TRANSPORTS,
  callIdOf,
  daysIn,
  type DiagnosedServer,
  linesIn,
  openDiagnosed,
  pagesIn,
  recordsIn,
  stopDiagnosed,
} from '../support/diagnosed-server.js';
import {
  at,
  brokenCounts,
  brokenFields,
  brokenRecord,
  brokenScores,
  brokenTemplate,
  brokenTimes,
  listAt,
  numberAt,
  RECORD_FIELDS,
  RESULT_FIELDS,
} from '../support/diagnostic-laws.js';
import { failureOf } from '../support/failures.js';
import { holdIndex } from '../support/index-files.js';
import type { CallResult, TransportName } from '../support/mcp-clients.js';
import { pithIndex, poll } from '../support/processes.js';
import { comparable } from '../support/reply-laws.js';
import { runPith } from '../support/run-pith.js';
import { openSite, type Site, TRANSPORTS } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const big = folder.file('big.sqlite');
const chained = folder.file('chained.sqlite');
const TRACEPARENT = `00-${'4bf92f3577b34da6a3ce929d0e0e4736'}-${'00f067aa0ba902b7'}-01`;

const SEARCH = { query: 'When does a ship leave the waiting list?' };
const QUESTION = { question: SEARCH.query };
const RETRIEVALS = [
  ['kb.search', SEARCH],
  ['kb.retrieve_evidence', QUESTION],
] as const;

/** The Kestrel page names the title of the other page; only the two together contain all words of the question. */
const CHAIN = {
  'kestrel.md': '# Kestrel engine\n\nThe Kestrel engine was drawn by Marlene Vogt for small boats.\n',
  'marlene-vogt.md':
    '# Marlene Vogt\n\nMarlene Vogt was born in Hamburg, grew up on an island and moved to Ulm when she was twenty.\n',
  ...Object.fromEntries(
    ['Anna Berg', 'Otto Lind', 'Ida Moor', 'Karl Reh'].map((name) => [
      `${name.toLowerCase().replace(' ', '-')}.md`,
      `# ${name}\n\nBorn in Hamburg. In Hamburg born.\n`,
    ]),
  ),
  // Fillers keep the words above rare: words that most pages contain do not count.
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `filler-${i}.md`,
      `# Filler ${i}\n\nA page about nothing at all.\n`,
    ]),
  ),
};

type Name = 'forced' | 'silent' | 'big' | 'small' | 'graphless' | 'chained' | 'frail';
let servers: Record<Name, Record<TransportName, DiagnosedServer>>;
let sampled: Site;
let unsampled: Site;

/** The place of an index that is created and removed while a server runs. */
const frailIndex = (transport: TransportName): string => folder.file(`frail ${transport}.sqlite`);
const artifactsOf = (name: string, transport: TransportName): string => folder.file(`${name} ${transport}`);

/** One server for each transport, each with its own artifacts. */
async function open(
  name: Name,
  indexOf: (transport: TransportName) => string,
  env: Record<string, string> = {},
): Promise<Record<TransportName, DiagnosedServer>> {
  const at = (transport: TransportName) => ({
    index: indexOf(transport),
    folder: artifactsOf(name, transport),
    env,
  });
  const [stdio, http] = await Promise.all([
    openDiagnosed('stdio', at('stdio')),
    openDiagnosed('http', at('http')),
  ]);
  return { stdio, http };
}

const FORCE = { RETRIEVAL_DIAGNOSTICS_FORCE: '1' };
const NEVER = { RETRIEVAL_DIAGNOSTICS_SAMPLE_RATE: '0' };

async function openAll(): Promise<typeof servers> {
  const [forced, silent] = await Promise.all([
    open('forced', () => index, { ...FORCE, ...NEVER, PITH_LOG_LEVEL: 'info' }),
    open('silent', () => index, NEVER),
  ]);
  const [bigger, small] = await Promise.all([
    open('big', () => big, FORCE),
    open('small', () => big, { ...FORCE, MAX_RESPONSE_BYTES: '2048' }),
  ]);
  const [graphless, chain, frail] = await Promise.all([
    open('graphless', () => index, { ...FORCE, PITH_GRAPH_ENGINE: 'none' }),
    open('chained', () => chained, FORCE),
    open('frail', frailIndex, NEVER),
  ]);
  return { forced, silent, big: bigger, small, graphless, chained: chain, frail };
}

async function indexAll(): Promise<void> {
  const corpus = join(corpusFolder('powershell', folder.file('made')), '7.5', 'Microsoft.PowerShell.Utility');
  writeFiles(folder.file('chain'), CHAIN);
  const [run] = await Promise.all([
    runPith(['index', existsSync(corpus) ? corpus : folder.file('made'), '--index', big]),
    pithIndex(FIXTURE_CORPUS, index),
    pithIndex(folder.file('chain'), chained),
  ]);
  // Exit code 3: a file was skipped.
  if (!existsSync(big)) throw new Error(run.stderr);
}

beforeAll(async () => {
  await indexAll();
  servers = await openAll();
  const elsewhere = (name: string) => ({ RETRIEVAL_DIAGNOSTICS_DIR: folder.file(name) });
  [sampled, unsampled] = await Promise.all([
    openSite(index, { env: { ...FORCE, ...elsewhere('sampled') } }),
    openSite(index, { env: { ...NEVER, ...elsewhere('unsampled') } }),
  ]);
}, 120_000);

afterAll(async () => {
  await Promise.all([stopDiagnosed(), sampled?.stop(), unsampled?.stop()]);
  folder.remove();
});

/** Fields that the plan's §5.1 keeps out of results, and further fields of Pith's records. */
const DEBUG_FIELDS =
  /"(?:rrf_field_contributions|entity_metadata|entity_boost_applied|graph_path|graph_distance|explain|scores|timing_ms|timings|counts|candidates_\w+|dropped|dedupe|left_out|pre_dedupe|metrics|debug|config|otel|query_hash)":/;

/** A result without the fields that point to a diagnostic. */
function withoutPointer(result: CallResult): string {
  const fields = Object.entries(result.structuredContent ?? {});
  const rest = fields.filter(([name]) => name !== 'diagnostic_id' && name !== 'diagnostic_hint');
  return comparable({ ...result, structuredContent: Object.fromEntries(rest) });
}

describe.each(TRANSPORTS)('§8.1 the size of results, for a %s client over %s', (era, transport) => {
  it.each(RETRIEVALS)(
    '%s returns the same with and without a diagnostic, except for the pointer',
    async (tool, args) => {
      const [written, unwritten] = await Promise.all(
        [sampled, unsampled].map((site) => site.client(era, transport).call(tool, args)),
      );
      expect(written && withoutPointer(written)).toBe(unwritten && withoutPointer(unwritten));
      expect(written?.structuredContent).toHaveProperty('diagnostic_hint');
      expect(unwritten?.structuredContent).not.toHaveProperty('diagnostic_hint');
      expect(Object.keys(written?._meta ?? {})).toEqual(Object.keys(unwritten?._meta ?? {}));
    },
  );

  it.each(RETRIEVALS)('%s has no debug fields', async (tool, args) => {
    const result = await sampled.client(era, transport).call(tool, args);
    expect(JSON.stringify(result)).not.toMatch(DEBUG_FIELDS);
  });

  it.each(RETRIEVALS)('the pointer adds at most 100 bytes to %s', async (tool, args) => {
    const [written, unwritten] = await Promise.all(
      [sampled, unsampled].map((site) => site.client(era, transport).call(tool, args)),
    );
    const bytes = (result?: CallResult) => Buffer.byteLength(JSON.stringify(result));
    expect(bytes(written) - bytes(unwritten)).toBeLessThanOrEqual(100);
    expect(bytes(written) - bytes(unwritten)).toBeGreaterThan(0);
  });
});

describe.each(BOTH_TRANSPORTS)('§8.1 the limits of results with a diagnostic, over %s', (transport) => {
  it.each([
    ['kb.search', { query: 'parameter cmdlet object pipeline', top_k: 50, page_size: 50 }, 24_576],
    ['kb.retrieve_evidence', { question: 'How are objects converted to a string?', max_quotes: 12 }, 12_288],
  ])('%s stays within its own limit', async (tool, args, ceiling) => {
    const result = await servers.big[transport].call(tool, args);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(ceiling);
    expect(result.structuredContent).toHaveProperty('diagnostic_hint');
  });
});

describe.each(BOTH_TRANSPORTS)('§8.2 and §9.1 the artifacts of a call, over %s', (transport) => {
  it.each(RETRIEVALS)('include a record of %s with every field of the plan', async (tool, args) => {
    const record = await servers.forced[transport].recordOf(await servers.forced[transport].call(tool, args));
    expect(brokenFields(record, RECORD_FIELDS)).toEqual([]);
    expect(listAt(record, 'results').flatMap((result) => brokenFields(result, RESULT_FIELDS))).toEqual([]);
    expect(listAt(record, 'results').length).toBeGreaterThan(0);
    expect(record).toMatchObject({ schema_version: 1, transport, tool });
  });

  it.each(RETRIEVALS)('include a page for %s that follows the template line by line', async (tool, args) => {
    const server = servers.forced[transport];
    const record = await server.recordOf(await server.call(tool, args));
    const page = await poll(
      'a page',
      () => pagesIn(artifactsOf('forced', transport)).get(record.diagnostic_id) || undefined,
    );
    expect(brokenTemplate(page, record)).toEqual([]);
  });

  it('have at most ten rows on the page, and all results in the record', async () => {
    const server = servers.big[transport];
    const args = { query: 'parameter cmdlet', top_k: 30, page_size: 30 };
    const record = await server.recordOf(await server.call('kb.search', args));
    const page = await poll(
      'a page',
      () => pagesIn(artifactsOf('big', transport)).get(record.diagnostic_id) || undefined,
    );
    expect(listAt(record, 'results').length).toBeGreaterThan(10);
    expect(brokenTemplate(page, record)).toEqual([]);
  });

  it('are in the folder of their day: all records in one JSONL file, and one page per call', async () => {
    const server = servers.forced[transport];
    const record = await server.recordOf(await server.call('kb.search', SEARCH));
    const day = String(record['timestamp']).slice(0, 10);
    const at = join(artifactsOf('forced', transport), day);
    expect(existsSync(join(at, 'retrieval_diagnostics.jsonl'))).toBe(true);
    // The page is written after the line.
    await poll('a page', () => existsSync(join(at, `${record.diagnostic_id}.md`)) || undefined);
  });

  it('are one valid JSON object per line', async () => {
    const server = servers.forced[transport];
    await Promise.all(Array.from({ length: 20 }, () => server.call('kb.search', SEARCH)));
    await server.settled();
    const lines = linesIn(artifactsOf('forced', transport));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => !diagnosticRecordSchema.safeParse(JSON.parse(line)).success)).toEqual([]);
    expect(new Set(server.records().map((record) => record.diagnostic_id)).size).toBe(lines.length);
  });

  it('contain the time, the session and the scope of the call', async () => {
    const server = servers.forced[transport];
    const before = Date.now();
    const result = await server.call('kb.search', { ...SEARCH, scope: { doc_tags: ['guide'] } });
    const record = await server.recordOf(result);
    expect(Math.abs(Date.parse(String(record['timestamp'])) - before)).toBeLessThan(5_000);
    expect(record).toMatchObject({
      session_id: result.structuredContent?.['session_id'],
      scope: { project_id: 'harbour', environment: 'dev', doc_tag: 'guide' },
    });
  });

  it.each(['search_docs', 'search_sections'])('are also written for %s', async (tool) => {
    const server = servers.forced[transport];
    const record = await server.recordOf(await server.call(tool, { query: 'ship berth' }));
    expect(record).toMatchObject({ tool, query: { query_length: 10 } });
    expect(brokenRecord(record)).toEqual([]);
  });
});

describe.each(BOTH_TRANSPORTS)('§8.3 redaction, over %s', (transport) => {
  it.each(RETRIEVALS)('stores hash and length of the question of %s, and no text', async (tool, args) => {
    const record = await servers.forced[transport].recordOf(await servers.forced[transport].call(tool, args));
    expect(record['query']).toMatchObject({
      query_hash: createHash('sha256').update(SEARCH.query).digest('hex'),
      query_length: SEARCH.query.length,
      raw: null,
      normalized: null,
      rewritten: { applied: false, result: null },
    });
    expect(JSON.stringify(record)).not.toContain(SEARCH.query);
  });

  it('stores the reason why a query was rewritten, but not its text', async () => {
    const server = servers.forced[transport];
    const record = await server.recordOf(
      await server.call('kb.search', { query: 'tankre schedules harbuor' }),
    );
    expect(at(record, 'query.rewritten')).toEqual({
      applied: true,
      result: null,
      reason: expect.any(String),
    });
    expect(JSON.stringify(record)).not.toMatch(/tankre|harbuor/);
  });
});

describe.each(BOTH_TRANSPORTS)('§9.2 the pointer, over %s', (transport) => {
  it.each(RETRIEVALS)(
    'of %s is the id of the call in the result, the record and the page',
    async (tool, args) => {
      const server = servers.forced[transport];
      const result = await server.call(tool, args);
      const id = callIdOf(result);
      const record = await server.recordOf(result);
      const page = await poll('a page', () => pagesIn(artifactsOf('forced', transport)).get(id) || undefined);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(result.structuredContent).toMatchObject({
        diagnostic_id: id,
        diagnostic_hint: `See retrieval diagnostics ${id}`,
      });
      expect(record.diagnostic_id).toBe(id);
      expect(page.split('\n')[0]).toBe(`# Retrieval Diagnostics — ${id}`);
    },
  );

  it.each(RETRIEVALS)('of %s has the id but no hint if no diagnostic was written', async (tool, args) => {
    const result = await servers.silent[transport].call(tool, args);
    expect(result.structuredContent).toMatchObject({ diagnostic_id: callIdOf(result) });
    expect(result.structuredContent).not.toHaveProperty('diagnostic_hint');
  });
});

describe.each(BOTH_TRANSPORTS)('§9.3 the log, over %s', (transport) => {
  it('has one line for a diagnostic: ids, counters and paths of its files', async () => {
    const server = servers.forced[transport];
    const meta = { traceparent: TRACEPARENT };
    const headers = { 'x-correlation-id': 'ticket-4711' };
    const result = await server.call('kb.search', SEARCH, { meta, headers });
    const id = callIdOf(result);
    const lines = await poll('a line', () => {
      const found = server
        .stderr()
        .split('\n')
        .filter((line) => line.includes(`diagnostic_id=${id}`));
      return found.length > 0 ? found : undefined;
    });
    const said = (name: string) =>
      new RegExp(` ${name}=(?:"([^"]*)"|(\\S*))`)
        .exec(lines[0] ?? '')
        ?.slice(1)
        .join('');
    await server.recordOf(result);
    expect(lines).toHaveLength(1);
    expect(said('trace_id')).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
    expect(said('span_id')).toMatch(/^[0-9a-f]{16}$/);
    expect(said('returned')).toBe(String(listAt(result.structuredContent, 'results').length));
    expect(existsSync(said('jsonl') ?? '')).toBe(true);
    expect(basename(said('markdown') ?? '')).toBe(`${id}.md`);
  });

  it('has no line for a call without a diagnostic', async () => {
    const server = servers.silent[transport];
    const result = await server.call('kb.search', SEARCH);
    await server.settled();
    expect(server.stderr()).not.toContain(callIdOf(result));
  });
});

describe.each(BOTH_TRANSPORTS)('correlation with the client, over %s', (transport) => {
  it('reads trace and correlation id from _meta', async () => {
    const server = servers.forced[transport];
    const meta = { traceparent: TRACEPARENT, correlation_id: 'ticket-4711' };
    expect(await server.recordOf(await server.call('kb.search', SEARCH, { meta }))).toMatchObject({
      correlation_id: 'ticket-4711',
      otel: { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' },
    });
  });
});

describe('correlation by HTTP headers', () => {
  it.each(['X-Correlation-Id', 'X-Request-Id'])('takes %s', async (name) => {
    const server = servers.forced.http;
    const result = await server.call('kb.search', SEARCH, { headers: { [name]: 'ticket-4711' } });
    expect(await server.recordOf(result)).toMatchObject({ correlation_id: 'ticket-4711' });
  });

  it('takes traceparent', async () => {
    const server = servers.forced.http;
    const result = await server.call('kb.search', SEARCH, { headers: { traceparent: TRACEPARENT } });
    expect(await server.recordOf(result)).toMatchObject({
      otel: { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' },
    });
  });
});

describe.each(BOTH_TRANSPORTS)('the record of a retrieval, over %s', (transport) => {
  it('is consistent for many queries: counts add up, times fit, shares add up to scores', async () => {
    const corpus = join(
      corpusFolder('powershell', folder.file('made')),
      '7.5',
      'Microsoft.PowerShell.Utility',
    );
    const queries = drawQueries(existsSync(corpus) ? corpus : folder.file('made'), 25, 11);
    const server = servers.big[transport];
    const results: CallResult[] = [];
    for (const query of queries) {
      results.push(await server.call('kb.search', { query, top_k: 20, options: { max_per_doc: 2 } }));
      results.push(await server.call('kb.retrieve_evidence', { question: query }));
    }
    await server.settled();
    const ids = results.filter((result) => !result.isError).map(callIdOf);
    const records = server.records().filter((record) => ids.includes(record.diagnostic_id));
    expect(records).toHaveLength(ids.length);
    expect(records.flatMap((record) => brokenRecord(record))).toEqual([]);
  });

  it('lists the sections of the result, in its order and with its ranks and scores', async () => {
    const server = servers.big[transport];
    const result = await server.call('kb.search', { query: 'convert an object to a string', top_k: 12 });
    const record = await server.recordOf(result);
    const shown = listAt(result.structuredContent, 'results').map((row) => [
      row['section_id'],
      row['rank'],
      row['score'],
      row['source'],
    ]);
    expect(
      listAt(record, 'results').map((row) => [
        row['chunk_id'],
        row['rank'],
        at(row, 'scores.fused'),
        row['source'],
      ]),
    ).toEqual(shown);
  });

  it('lists the sources of the quotes in the order of the result', async () => {
    const server = servers.big[transport];
    const result = await server.call('kb.retrieve_evidence', { question: 'How are objects converted?' });
    const record = await server.recordOf(result);
    expect(listAt(record, 'results').map((row) => row['chunk_id'])).toEqual(
      listAt(result.structuredContent, 'sources').map((row) => row['section_id']),
    );
    expect(at(record, 'answerable.verdict')).toBe(result.structuredContent?.['answerable']);
  });

  it('adds up for a question of several parts', async () => {
    const server = servers.big[transport];
    const record = await server.recordOf(
      await server.call('kb.retrieve_evidence', {
        question: 'How do I convert an object to JSON and write it to a file?',
        parts: [
          'How do I convert an object to JSON?',
          'How do I write to a file?',
          'How do I convert JSON to an object?',
        ],
      }),
    );
    expect(brokenCounts(record)).toEqual([]);
    expect(brokenTimes(record)).toEqual([]);
    expect(brokenScores(record)).toEqual([]);
    expect(numberAt(record, 'counts.dedupe.found_twice')).toBeGreaterThan(0);
  });

  it('continues the ranks on the second page, and counts the other pages', async () => {
    const server = servers.big[transport];
    const args = { query: 'parameter cmdlet object', top_k: 12, page_size: 5 };
    const first = await server.call('kb.search', args);
    const cursor = first.structuredContent?.['next_cursor'];
    const record = await server.recordOf(await server.call('kb.search', { ...args, cursor }));
    expect(listAt(record, 'results').map((row) => row['rank'])).toEqual([6, 7, 8, 9, 10]);
    expect(at(record, 'counts.not_returned')).toMatchObject({ other_page: 7, budget: 0 });
    expect(brokenRecord(record)).toEqual([]);
    expect(JSON.stringify(record)).not.toContain(String(cursor));
  });

  it('has the fate of sections that were not returned', async () => {
    const server = servers.big[transport];
    const record = await server.recordOf(
      await server.call('kb.search', { query: 'parameter cmdlet object', top_k: 8, page_size: 4 }),
    );
    const fates = listAt(record, 'left_out').map((row) => row['fate']);
    expect(fates.slice(0, 4)).toEqual(['other_page', 'other_page', 'other_page', 'other_page']);
    expect(new Set(fates.slice(4))).toEqual(new Set(['below_list']));
  });

  it('has a graph path for each section that the graph raised', async () => {
    const server = servers.chained[transport];
    const query = 'Kestrel engine born Hamburg';
    const record = await server.recordOf(
      await server.call('kb.search', { query, options: { mode: 'hybrid_local' } }),
    );
    const lifted = listAt(record, 'results').filter((row) => row['source'] === 'graph_expanded');
    expect(lifted.map((row) => at(row, 'explain.graph_path'))).toEqual([['kestrel.md', 'marlene-vogt.md']]);
    expect(lifted.map((row) => at(row, 'explain.graph_distance'))).toEqual([1]);
    expect(numberAt(lifted[0], 'scores.graph')).toBeGreaterThan(0);
    expect(numberAt(record, 'timing_ms.graph_expansion')).toBeGreaterThan(0);
  });

  it('has a graph path for each section with a graph score, even if the section ranked first without it', async () => {
    const server = servers.forced[transport];
    const asked = { query: 'leave the waiting list', options: { mode: 'hybrid_local' } };
    const record = await server.recordOf(await server.call('kb.search', asked));
    const raised = listAt(record, 'results').filter((row) => numberAt(row, 'scores.graph') > 0);
    expect(raised.length).toBeGreaterThan(0);
    expect(raised.filter((row) => listAt(row, 'explain.graph_path').length < 2)).toEqual([]);
  });

  it('names the degraded part, as the result does', async () => {
    const server = servers.graphless[transport];
    const result = await server.call('kb.search', { ...SEARCH, options: { mode: 'hybrid_local' } });
    const record = await server.recordOf(result);
    expect(result.structuredContent).toMatchObject({ degraded: ['graph'] });
    expect(record).toMatchObject({ degraded: ['graph'], config: { neo4j_disabled: true } });
  });

  it('names no part if none was degraded', async () => {
    const server = servers.forced[transport];
    const record = await server.recordOf(await server.call('kb.search', SEARCH));
    expect(record).toMatchObject({ degraded: [], config: { neo4j_disabled: false } });
  });
});

describe.each(BOTH_TRANSPORTS)('budgets in a record, over %s', (transport) => {
  it.each(RETRIEVALS)('of %s contain the size of the result in bytes', async (tool, args) => {
    const server = servers.forced[transport];
    const result = await server.call(tool, args);
    const record = await server.recordOf(result);
    expect(record['budgets']).toMatchObject({
      response_bytes: Buffer.byteLength(JSON.stringify(result)),
      partial: result.structuredContent?.['partial'],
      limit_reason: result.structuredContent?.['limit_reason'],
    });
    expect(numberAt(record, 'budgets.tokens_estimate')).toBeGreaterThan(100);
  });

  it('contain MAX_RESPONSE_BYTES if it is lower than the limit of the tool', async () => {
    const server = servers.small[transport];
    const record = await server.recordOf(await server.call('kb.search', { query: 'module' }));
    expect(record['budgets']).toMatchObject({ max_bytes: 2_048 });
  });

  it.each([
    ['kb.search', SEARCH, 24_576],
    ['kb.retrieve_evidence', QUESTION, 12_288],
  ])('of %s have the limit of the tool', async (tool, args, max_bytes) => {
    const server = servers.forced[transport];
    const record = await server.recordOf(await server.call(tool, args));
    expect(record['budgets']).toMatchObject({ max_bytes });
  });

  it.each([
    ['kb.search', { query: 'parameter cmdlet object pipeline', top_k: 20, page_size: 20 }],
    ['kb.retrieve_evidence', { question: 'How are objects converted to a string?', max_quotes: 12 }],
  ])('of %s name the limit that truncated the result', async (tool, args) => {
    const server = servers.small[transport];
    const result = await server.call(tool, args);
    const record = await server.recordOf(result);
    const left = listAt(record, 'left_out').filter((row) => row['fate'] === 'budget');
    expect(result.structuredContent).toMatchObject({ partial: true, limit_reason: 'byte_cap' });
    expect(record['budgets']).toMatchObject({ partial: true, limit_reason: 'byte_cap' });
    expect(numberAt(record, 'budgets.response_bytes')).toBeLessThanOrEqual(2_048);
    expect(numberAt(record, 'counts.not_returned.budget')).toBeGreaterThan(0);
    expect(left.length).toBe(numberAt(record, 'counts.not_returned.budget'));
    expect(brokenRecord(record)).toEqual([]);
  });
});

describe.each(BOTH_TRANSPORTS)('a call that fails, over %s', (transport) => {
  /** The record of a failed call; failures are recorded without sampling. */
  async function recordOf(server: DiagnosedServer, result: CallResult) {
    const { code, reason } = failureOf(result);
    const id = at(result.structuredContent, 'error.details.diagnostic_id');
    expect(id).toBe(callIdOf(result));
    const record = await server.recordOf(result);
    expect(record['error']).toEqual({ code, reason, message: null });
    expect(brokenTimes(record)).toEqual([]);
    expect(brokenCounts(record)).toEqual([]);
    const pages = () =>
      new Map([...pagesIn(artifactsOf('silent', transport)), ...pagesIn(artifactsOf('frail', transport))]);
    const page = await poll('a page', () => pages().get(String(id)) || undefined);
    expect(page).toContain(`- code: ${code}`);
    return record;
  }

  it.each([
    ['INVALID_ARGUMENT', 'kb.search', {}],
    ['INVALID_ARGUMENT', 'kb.search', { ...SEARCH, colour: 'red' }],
    ['INVALID_ARGUMENT', 'kb.search', { ...SEARCH, top_k: 1_000 }],
    ['INVALID_ARGUMENT', 'kb.search', { ...SEARCH, cursor: 'AAAA' }],
    ['INVALID_ARGUMENT', 'kb.retrieve_evidence', { question: '' }],
    ['SCOPE_VIOLATION', 'kb.search', { ...SEARCH, scope: { project_id: 'another' } }],
    ['SCOPE_VIOLATION', 'kb.retrieve_evidence', { ...QUESTION, scope: { environment: 'prod' } }],
  ])('with %s has a record with code and reason: %s %j', async (code, tool, args) => {
    const server = servers.silent[transport];
    const result = await server.call(tool, args);
    expect(await recordOf(server, result)).toMatchObject({ tool, transport, error: { code } });
  });

  it('has a record with the hash and the length of its question', async () => {
    const server = servers.silent[transport];
    const args = { ...SEARCH, scope: { project_id: 'another' } };
    expect(await recordOf(server, await server.call('kb.search', args))).toMatchObject({
      query: {
        query_hash: createHash('sha256').update(SEARCH.query).digest('hex'),
        query_length: SEARCH.query.length,
        raw: null,
      },
    });
  });

  it('has a record with the limits of its tool and the size of the error', async () => {
    const server = servers.silent[transport];
    const result = await server.call('kb.search', { ...SEARCH, top_k: 1_000 });
    const { budgets } = await recordOf(server, result);
    expect(budgets).toMatchObject({
      max_bytes: 24_576,
      response_bytes: Buffer.byteLength(JSON.stringify(result)),
    });
  });

  it('has a record if its cursor is from an earlier generation of the index', async () => {
    const corpus = folder.file(`changing ${transport}`);
    const file = frailIndex(transport);
    writeFiles(corpus, { 'b.md': '# Ship B\n\nA ship.\n', 'c.md': '# Ship C\n\nA ship, too.\n' });
    await pithIndex(corpus, file);
    const server = servers.frail[transport];
    const first = await server.call('kb.search', { query: 'ship', page_size: 1 });
    writeFiles(corpus, { 'd.md': '# Ship D\n\nA further ship.\n' });
    await pithIndex(corpus, file);
    const cursor = first.structuredContent?.['next_cursor'];
    const stale = await server.call('kb.search', { query: 'ship', page_size: 1, cursor });
    const record = await recordOf(server, stale);
    expect(record['error']).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'cursor_stale' });
  });

  it('has a record if it times out; the recorded duration is the deadline', async () => {
    const file = folder.file(`held ${transport}.sqlite`);
    copyFileSync(index, file);
    const letGo = holdIndex(file);
    const env = { ...NEVER, PITH_CALL_TIMEOUT_MS: '200' };
    const server = await openDiagnosed(transport, {
      index: file,
      folder: artifactsOf('frail', transport),
      env,
    });
    const record = await recordOf(server, await server.call('kb.search', SEARCH));
    letGo();
    await server.stop();
    expect(record).toMatchObject({ error: { code: 'TIMEOUT' }, counts: { returned: 0 }, results: [] });
    expect(numberAt(record, 'timing_ms.total')).toBeGreaterThanOrEqual(195);
  });

  it('has a record if there is no index', async () => {
    const server = servers.frail[transport];
    for (const end of ['', '-wal', '-shm']) rmSync(`${frailIndex(transport)}${end}`, { force: true });
    const record = await recordOf(server, await server.call('kb.search', SEARCH));
    expect(record).toMatchObject({
      error: { code: 'BACKEND_UNAVAILABLE', reason: 'index_missing' },
      generation: null,
    });
  });

  it('has a record if it exceeds the rate limit', async () => {
    const env = { ...NEVER, PITH_RATE_PER_MINUTE: '1' };
    const server = await openDiagnosed(transport, { index, folder: artifactsOf('frail', transport), env });
    await server.call('kb.search', SEARCH);
    const record = await recordOf(server, await server.call('kb.search', SEARCH));
    await server.stop();
    expect(record['error']).toMatchObject({ code: 'BUDGET_EXCEEDED', reason: 'rate_limited' });
  });
});

describe.each(BOTH_TRANSPORTS)('sampling, over %s', (transport) => {
  const COUNT = 60;

  /** Ids of the results with a hint; these have a record. */
  async function hintedBy(server: DiagnosedServer, artifacts: string): Promise<string[]> {
    const results: CallResult[] = [];
    while (results.length < COUNT) {
      const some = Array.from({ length: 20 }, () => server.call('kb.search', SEARCH));
      results.push(...(await Promise.all(some)));
    }
    await server.settled();
    const ids = results.map(callIdOf);
    const written = recordsIn(artifacts).map((record) => record.diagnostic_id);
    const hinted = results.filter((result) => result.structuredContent?.['diagnostic_hint']).map(callIdOf);
    expect(ids.filter((id) => written.includes(id)).sort()).toEqual(hinted.sort());
    return hinted;
  }

  it('records nothing at rate 0', async () => {
    expect(await hintedBy(servers.silent[transport], artifactsOf('silent', transport))).toEqual([]);
  });

  it('records everything if forced, even at rate 0', async () => {
    expect(await hintedBy(servers.forced[transport], artifactsOf('forced', transport))).toHaveLength(COUNT);
  });

  it.each([
    // Six standard deviations around 30; more than 9 of 60 occur once in a billion runs.
    ['half', { RETRIEVAL_DIAGNOSTICS_SAMPLE_RATE: '0.5' }, 7, 53],
    ['one in a hundred, where nothing is set', {}, 0, 9],
  ])(
    'records about %s, and adds the hint only to recorded calls',
    async (name, env: Record<string, string>, least, most) => {
      const artifacts = folder.file(`${name} ${transport}`);
      const server = await openDiagnosed(transport, { index, folder: artifacts, env });
      const { length } = await hintedBy(server, artifacts);
      await server.stop();
      expect(length).toBeGreaterThanOrEqual(least);
      expect(length).toBeLessThanOrEqual(most);
    },
  );
});

describe('retention', () => {
  const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const PAGE = '0b9f6a52-3c1e-4d57-9a40-5e6f7a8b9c01.md';

  function fill(dir: string): void {
    for (const day of [dayBefore(40), dayBefore(16), dayBefore(12), dayBefore(0), 'kept by hand']) {
      mkdirSync(join(dir, day), { recursive: true });
      writeFileSync(join(dir, day, 'retrieval_diagnostics.jsonl'), '');
      writeFileSync(join(dir, day, PAGE), '# Retrieval Diagnostics\n');
    }
  }

  it.each([
    ['fourteen days where nothing is set', 'stdio', {}, [12, 0]],
    ['fourteen days where nothing is set', 'http', {}, [12, 0]],
    ['all at 0', 'stdio', { RETRIEVAL_DIAGNOSTICS_RETENTION_DAYS: '0' }, [40, 16, 12, 0]],
    ['as many as are set', 'http', { RETRIEVAL_DIAGNOSTICS_RETENTION_DAYS: '30' }, [16, 12, 0]],
  ] as [string, TransportName, Record<string, string>, number[]][])(
    'keeps %s, over %s, and removes no other files',
    async (name, transport, env, kept) => {
      const dir = folder.file(`${name} ${transport}`);
      fill(dir);
      const server = await openDiagnosed(transport, { index, folder: dir, env });
      const result = await server.call('kb.search', {});
      await poll('old days going', () => (daysIn(dir).length <= kept.length + 1 ? true : undefined));
      await server.recordOf(result);
      await server.stop();
      expect(daysIn(dir)).toEqual([...kept.map(dayBefore), 'kept by hand']);
      expect(existsSync(join(dir, 'kept by hand', PAGE))).toBe(true);
    },
  );
});
