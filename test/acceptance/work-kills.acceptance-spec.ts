import { readdirSync } from 'node:fs';
import { BackendsConfig } from '../../src/config/settings/backends.config.js';
import { IndexConfig } from '../../src/config/settings/index.config.js';
import { openLedgerForReading } from '../../src/governance/ledger/store/open-ledger.js';
import { ArtifactStore } from '../../src/work/substrate/artifacts/artifact-store.js';
import { SPACE } from '../support/a-substrate.js';
import { SECRET } from '../support/builders.js';
import { approvalsIn } from '../support/governance-stores.js';
import { KillableServer } from '../support/killed-server.js';
import { Claiming, Indexing, Publishing, Running } from '../support/killed-strands.js';
import { type Acting, Moments, Session, type Strand } from '../support/killed-work.js';
import { ONE_OF_EACH } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';
import { boundedWork } from '../support/work-stores.js';
import { writeFiles } from '../support/write-files.js';

/** Fixed, so that a failure can be repeated. KILL_SEED=… tries other moments. */
const SEED = Number(process.env['KILL_SEED'] ?? 20_260_101);
/** For each transport. */
const KILLS = 15;

const folder = testFolder();
const ENV = {
  MCP_DOMAINS: 'run,index,substrate,claim,knowledge',
  MCP_TOOL_NAMES: 'dotted',
  PITH_ENVIRONMENT: SPACE.environment,
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_LEDGER: 'on',
  PITH_PROJECT: SPACE.projectId,
  PITH_SECRET: SECRET,
};
const GOVERNANCE = `
version: 1
policy:
  rules:
    - { name: work, tools: [run.*, index.*, substrate.*, claim.*, knowledge.*], effect: allow }
`;

/** Works without a kill. */
const actingOn = (server: KillableServer): Acting => ({
  act: (_, tool, args) => server.call(tool, args),
});

beforeAll(() => writeFiles(folder.path, { 'governance.yaml': GOVERNANCE }));
afterAll(() => folder.remove());

describe.each(ONE_OF_EACH)('a server killed at random moments, for a %s client over %s', (era, transport) => {
  const index = folder.file(`${transport}.sqlite`);
  const moments = new Moments(SEED);
  const places = { creates: false, now: Date.now };
  const work = boundedWork(folder.file(`${transport}.work.sqlite`), places);
  const artifacts = new ArtifactStore(work);
  const approvals = approvalsIn({
    ...places,
    file: folder.file(`${transport}.governance.sqlite`),
  });
  const publishing = new Publishing(artifacts);
  const indexing = new Indexing(index, publishing);
  const strands: Strand[] = [publishing, new Running(), new Claiming(approvals), indexing];
  const start = () => KillableServer.start({ era, transport, index, env: ENV });

  afterAll(() => Promise.all([work.database.close(), approvals.close()]));

  it('has everything that it acknowledged after each kill', async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const server = await start();
      if (kill === 0) {
        await publishing.begin(actingOn(server));
        await indexing.ingest(actingOn(server));
      } else for (const strand of strands) await strand.check(server, 'last check');
      await new Session(server, moments).run(strands);
    }
  }, 300_000);

  it('has all of it after the last kill', async () => {
    const server = await start();
    for (const strand of strands) await strand.check(server, 'ever');
    await indexing.finish(actingOn(server));
    await indexing.check(server);
    await server.kill();
    // Nothing is left of the copies that killed runs were made from.
    expect(readdirSync(folder.file(`.${transport}.work.sqlite.checkouts`))).toEqual([]);
  }, 120_000);

  it('has a ledger that verifies', async () => {
    const file = folder.file(`${transport}.ledger.sqlite`);
    const ledger = openLedgerForReading(
      {
        ledger: { file, mode: 'on', arguments: 'off', retentionDays: 0 },
        backends: new BackendsConfig(),
        index: new IndexConfig(),
      },
      { secret: SECRET, isLasting: true },
    );
    expect(await ledger.verify()).toMatchObject({ isIntact: true });
    await ledger.close();
  });

  it('was killed within uploads, index runs and decisions', () => {
    console.log(`${KILLS} kills over ${transport} (seed ${SEED}) within: ${JSON.stringify(moments.hits)}`);
    expect(Object.keys(moments.hits)).toEqual(expect.arrayContaining(['upload', 'ingest', 'decide']));
  });
});
