import type { CallResult } from '../support/mcp-clients.js';
import { importRows, rowsAbout } from '../support/memory-file.js';
import { pithIndex } from '../support/processes.js';
import { comparable } from '../support/reply-laws.js';
import { SDK_CORPUS } from '../support/sdk-corpus.js';
import { openSite, type Site, TRANSPORTS } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const env = { SURR_ENABLE_INNER_VOICE: '1' };

const CALLS: [string, Record<string, unknown>][] = [
  ['search_docs', { query: 'berth operation' }],
  ['search_docs', { query: 'telemetry crane', scope: 'sdk-specific', limit: 50 }],
  ['search_docs', { query: 'telemetry', scope: 'global-guide' }],
  ['search_docs', { query: 'zyzzyva' }],
  ['search_docs', { query: 'telemetry', language: 'rust' }],
  ['get_doc', { chunk_id: 'guides/retries.md#jitter', context: 5 }],
  ['get_doc', { chunk_id: 'guides/install.md' }],
  ['inner_voice.retrieve', { query: 'berth word1', floor: 0.01 }],
  ['inner_voice.retrieve', { query: 'nobody noted this' }],
];

/** All replies and lists, for every kind of client over both transports. */
async function everything(site: Site): Promise<string[][]> {
  return Promise.all(
    TRANSPORTS.map(async ([era, transport]) => {
      const client = site.client(era, transport);
      const replies: CallResult[] = [];
      for (const [tool, args] of CALLS) replies.push(await client.call(tool, args));
      const lists = [await client.listTools(), await client.listPrompts(), await client.listResources()];
      return [...replies.map(comparable), ...lists.map((list) => JSON.stringify(withoutMeta(list)))];
    }),
  );
}

const withoutMeta = (list: object): object => ('_meta' in list ? { ...list, _meta: null } : list);

let before: string[][];
let again: string[][];
let after: string[][];

beforeAll(async () => {
  writeFiles(folder.file('docs'), SDK_CORPUS);
  await pithIndex(folder.file('docs'), index);
  await importRows(rowsAbout('berth', 'thoughts', 12), folder.file('rows.jsonl'), index);
  const site = await openSite(index, { env });
  before = await everything(site);
  again = await everything(site);
  // The fixtures also have an install.md and words of the questions.
  const other = folder.file('other.sqlite');
  await pithIndex(FIXTURE_CORPUS, other);
  await importRows(rowsAbout('berth', 'kg_entities', 12), folder.file('others.jsonl'), other);
  const fresh = await openSite(index, { env });
  after = await everything(fresh);
  await Promise.all([site.stop(), fresh.stop()]);
}, 60_000);

afterAll(() => folder.remove());

describe('search_docs, get_doc, inner_voice.retrieve and lists', () => {
  it('are the same bytes for the same call', () => {
    expect(again).toEqual(before);
  });

  it('are the same bytes after documents and memory of another project were added on the machine', () => {
    expect(after).toEqual(before);
  });

  it('are the same bytes over both transports', () => {
    const byTransport = (transport: string) => before.filter((_, i) => TRANSPORTS[i]?.[1] === transport);
    expect(byTransport('http')).toEqual(byTransport('stdio'));
  });

  it('include results, empty results and errors', () => {
    const replies = before[0]?.slice(0, CALLS.length) ?? [];
    expect(replies.map((reply) => reply.includes('"isError":true'))).toEqual([
      ...[false, false, false, false, true],
      ...[false, true],
      ...[false, false],
    ]);
  });
});
