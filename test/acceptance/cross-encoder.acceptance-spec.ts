import {
  type DiagnosedServer,
  openDiagnosed,
  type PlainRecord,
  stopDiagnosed,
} from '../support/diagnosed-server.js';
import { at, listAt } from '../support/diagnostic-laws.js';
import type { CallResult } from '../support/mcp-clients.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { pithIndex } from '../support/processes.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const MODEL = 'BAAI/bge-reranker-base';
const QUERY = 'When does a ship leave the waiting list?';
const folder = testFolder();

let model: ModelServer;
let server: DiagnosedServer;

beforeAll(async () => {
  const index = folder.file('index.sqlite');
  model = await startModelServer();
  await pithIndex(FIXTURE_CORPUS, index);
  const env = {
    PITH_RERANKER: 'cohere',
    PITH_RERANK_URL: model.url,
    PITH_RERANK_MODEL: MODEL,
    RETRIEVAL_DIAGNOSTICS_FORCE: '1',
  };
  server = await openDiagnosed('stdio', { index, folder: folder.file('diagnostics'), env });
}, 60_000);

afterAll(async () => {
  await stopDiagnosed();
  await model.close();
  folder.remove();
});

const rowsOf = ({ structuredContent }: CallResult) => listAt(structuredContent, 'results');
const rerankIn = (record: PlainRecord) =>
  listAt(record, 'results').map((row) => [row['chunk_id'], at(row, 'scores.rerank')]);

describe('the scores of a cross-encoder', () => {
  beforeEach(() => void (model.always = null));

  it('are in the record and in kb.search with include_scores', async () => {
    const result = await server.call('kb.search', { query: QUERY, options: { include_scores: true } });
    const record = await server.recordOf(result);
    const shown = rowsOf(result).map((row) => [row['section_id'], at(row, 'scores.rerank')]);
    expect(at(record, 'config.reranker')).toEqual({ enabled: true, provider: 'cohere', model: MODEL });
    expect(rerankIn(record)).toEqual(shown);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.every(([, score]) => Number(score) > 0 && Number(score) <= 1)).toBe(true);
    expect(rowsOf(result).map(({ source }) => source)).toContain('reranked');
  });

  it('are in the record of kb.retrieve_evidence, also for a question in parts', async () => {
    const parts = ['When does a ship leave the list?', 'What is a berth?'];
    const result = await server.call('kb.retrieve_evidence', { question: QUERY, parts });
    const record = await server.recordOf(result);
    expect(at(record, 'config.reranker')).toEqual({ enabled: true, provider: 'cohere', model: MODEL });
    expect(rerankIn(record).every(([, score]) => typeof score === 'number')).toBe(true);
    expect(rerankIn(record).length).toBeGreaterThan(0);
  });

  it('are in the rows of search_sections and in their record', async () => {
    const result = await server.call('search_sections', { query: QUERY });
    const record = await server.recordOf(result);
    const rows = rowsOf(result);
    expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(['reranked']));
    expect(rerankIn(record)).toEqual(rows.map((row) => [row['section_id'], row['rerank_score']]));
    expect(rows.every((row) => typeof row['rerank_score'] === 'number')).toBe(true);
  });

  it('are missing if it is down, and the call is degraded', async () => {
    model.always = { kind: 'status', status: 503 };
    const args = { query: 'berth harbour', options: { include_scores: true } };
    const result = await server.call('kb.search', args);
    const record = await server.recordOf(result);
    expect(record['degraded']).toEqual(['rerank']);
    expect(rerankIn(record).every(([, score]) => score === null)).toBe(true);
    expect(rowsOf(result).some((row) => at(row, 'scores.rerank') !== undefined)).toBe(false);
  });
});
