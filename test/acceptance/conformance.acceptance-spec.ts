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

/** Pith has no subscriptions to resources and claims none; the suite asks for the methods all the same. */
const NOT_OFFERED = ['resources-subscribe', 'resources-unsubscribe'].map(
  (scenario) => `${scenario}: ${scenario} FAILURE: Failed: Method not found`,
);

describe('the official conformance suite', () => {
  it.each([
    ['2025-06-18', 27, NOT_OFFERED],
    ['2025-11-25', 33, NOT_OFFERED],
    ['2026-07-28', 40, []],
  ])('passes every server scenario of %s that it offers', async (version, count, failures) => {
    const results = await runSuite(server.url, version);
    expect(results.map(({ scenario }) => scenario)).toEqual(await serverScenarios(version));
    expect(results).toHaveLength(count);
    expect(results.flatMap(failuresIn)).toEqual(failures);
  });
});
