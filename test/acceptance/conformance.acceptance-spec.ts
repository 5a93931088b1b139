import type { RunningServer } from '../../src/cli/commands/serve.command.js';
import { failuresIn, runSuite, serverScenarios } from '../support/conformance/run-suite.js';
import { serveConformance } from '../support/conformance/serve-conformance.js';
import { pithIndex } from '../support/processes.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
let server: RunningServer;

beforeAll(async () => {
  const index = folder.file('index.sqlite');
  await pithIndex(FIXTURE_CORPUS, index);
  server = await serveConformance(index);
});

afterAll(async () => {
  await server?.close();
  folder.remove();
});

describe('the official conformance suite', () => {
  it.each([
    ['2025-06-18', 27],
    ['2025-11-25', 33],
    ['2026-07-28', 40],
  ])('passes every server scenario of %s', async (version, count) => {
    const results = await runSuite(server.url, version);
    expect(results.map(({ scenario }) => scenario)).toEqual(await serverScenarios(version));
    expect(results).toHaveLength(count);
    expect(results.flatMap(failuresIn)).toEqual([]);
  });
});
