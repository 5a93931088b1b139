import { existsSync } from 'node:fs';
import { describeEngines } from '../../support/engine.js';
import { ownProject } from '../../support/own-project.js';
import { type Finished, runPith } from '../../support/processes.js';
import { type QdrantStandIn, startQdrantStandIn } from '../../support/qdrant-stand-in.js';
import { FIXTURE_CORPUS, testFolder } from '../../support/test-folder.js';

const PROJECT = ownProject('the docs');
const OWNER = ['--project', PROJECT, '--environment', 'tests'];
const SETTINGS = `PITH_PROJECT="${PROJECT}" PITH_ENVIRONMENT=tests`;
const KEYS = { QDRANT_SHIM_API_KEY: 'a key that writes', QDRANT_SHIM_READ_ONLY_KEY: 'a key that reads' };

describeEngines(['qdrant'], 'the command line on Qdrant', () => {
  const folder = testFolder();
  const index = folder.file('index.sqlite');
  let qdrant: QdrantStandIn;

  const env = (key: string, url = qdrant.url): Record<string, string> => ({
    PITH_SECTION_ENGINE: 'qdrant',
    PITH_QDRANT_URL: url,
    PITH_QDRANT_API_KEY: key,
  });
  const indexed = (settings: Record<string, string>, file = index): Promise<Finished> =>
    runPith(['index', FIXTURE_CORPUS, '--index', file, ...OWNER], { env: settings });

  beforeAll(async () => {
    qdrant = await startQdrantStandIn(KEYS);
  });
  afterAll(async () => {
    await qdrant.stop();
    folder.remove();
  });

  it('reports a read-only key before anything is published', async () => {
    const file = folder.file('refused.sqlite');
    const { code, stderr } = await indexed(env('a key that reads'), file);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Set PITH_QDRANT_API_KEY to a valid key; `pith index` needs a key with write access.',
    );
    expect(existsSync(file)).toBe(false);
  });

  it('names the settings that servers need after a run without PITH_PROJECT, and searches with a read-only key', async () => {
    const { code, stdout, stderr } = await indexed(env('a key that writes'));
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('unsecure')]);
    expect(stdout).toContain(`To search there, set ${SETTINGS}`);
    const settings = { ...env('a key that reads'), PITH_PROJECT: PROJECT, PITH_ENVIRONMENT: 'tests' };
    const asked = await runPith(['ask', 'What is a berth?', '--index', index], { env: settings });
    expect(asked).toMatchObject({ code: 0, stderr: '' });
  });

  it('names the project of the index file if PITH_PROJECT is missing', async () => {
    const { code, stderr } = await runPith(['ask', 'What is a berth?', '--index', index], {
      env: env('a key that reads'),
    });
    expect(code).toBe(2);
    expect(stderr).toContain(`${index} was built with: ${SETTINGS}`);
  });

  it('gives hints for commands if Qdrant is unreachable', async () => {
    const { code, stderr } = await indexed(env('', 'http://127.0.0.1:9'));
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Check that Qdrant is running and that PITH_QDRANT_URL is right, then run this again.',
    );
    expect(stderr).not.toMatch(/call again|\/admin\/ready/iu);
  });
});
