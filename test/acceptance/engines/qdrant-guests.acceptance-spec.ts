import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { QdrantClient } from '@qdrant/js-client-rest';
import { describeEngines } from '../../support/engine.js';
import { type QdrantStandIn, startQdrantStandIn } from '../../support/qdrant-stand-in.js';

const ROOT = join(__dirname, '..', '..', '..');
const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const [SUITE, TEST] = ['qdrant-laws', 'writes nothing if nothing has changed'];

/** Runs one test of another suite. */
async function runSuite(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const args = [JEST, '--selectProjects', 'engines', '--testPathPatterns', SUITE, '-t', TEST, '--forceExit'];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, QDRANT_SHARED: '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  await once(child, 'close');
  return { code: child.exitCode, said };
}

describeEngines(['qdrant'], 'test suites on a Qdrant with other collections', () => {
  let qdrant: QdrantStandIn;
  let client: QdrantClient;
  const held = async (): Promise<unknown> => [
    (await client.getCollections()).collections,
    (await client.getAliases()).aliases,
  ];

  beforeAll(async () => {
    qdrant = await startQdrantStandIn();
    client = new QdrantClient({ url: qdrant.url, checkCompatibility: false });
    const [collection_name, alias_name] = ['pith_theirs_prod_a', 'pith_theirs_prod'];
    await client.createCollection(collection_name, { sparse_vectors: { words: {} } });
    await client.updateCollectionAliases({ actions: [{ create_alias: { alias_name, collection_name } }] });
  });
  afterAll(() => qdrant.stop());

  it('do not run there', async () => {
    const { code, said } = await runSuite({ QDRANT_URL: qdrant.url });
    expect(code).toBe(1);
    expect(said).toContain('Set QDRANT_SHARED=1');
    expect(await held()).toEqual([[{ name: 'pith_theirs_prod_a' }], [expect.anything()]]);
  });

  it('run if permitted, and remove only their own collections', async () => {
    const { code, said } = await runSuite({ QDRANT_URL: qdrant.url, QDRANT_SHARED: '1' });
    expect([code, said]).toEqual([0, expect.any(String)]);
    expect(await held()).toEqual([[{ name: 'pith_theirs_prod_a' }], [expect.anything()]]);
  });
});
