import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { restore } from '../../src/cli/commands/backup.command.js';
import { COMMAND_ENGINES } from '../../src/engines/command-engines.js';
import { FEATURE_COMMANDS } from '../../src/feature-commands.js';
import { LocalLedgerStore } from '../../src/governance/ledger/store/local-ledger-store.js';
import { openLedgerToWrite } from '../../src/governance/ledger/store/open-ledger-file.js';
import { openDatabase } from '../../src/sqlite/driver.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { memoryRows } from '../../src/sqlite/memory/copy-memory.js';
import { MemoryWriter } from '../../src/sqlite/memory/memory-writer.js';
import { canonicalJson } from '../../src/text/canonical-json.js';
import { aStart, KEYS, TIME } from '../support/a-ledger.js';
import { SECRET } from '../support/builders.js';
import { commandOutput } from '../support/command-output.js';
import { approvalsIn, definitionsIn, pinsIn } from '../support/governance-stores.js';
import { testFolder } from '../support/test-folder.js';

const SUPPORT = join(__dirname, '..', 'support');
const folder = testFolder();
afterAll(() => folder.remove());

/** A file as an earlier version left it. */
function earlier(kind: 'ledger' | 'governance' | 'memory'): string {
  const file = folder.file(`${kind}.sqlite`);
  const database = openDatabase(file);
  database.exec(readFileSync(join(SUPPORT, `${kind}-file-1.sql`), 'utf8'));
  database.close();
  return file;
}

const event = canonicalJson(aStart({ call_id: 'call-4' }));

describe('a ledger of 0.1.0', () => {
  it('is intact, and is continued', async () => {
    const ledger = new LocalLedgerStore({ file: earlier('ledger'), keys: KEYS, open: openLedgerToWrite });
    await ledger.append([{ time: TIME, event }], true);
    expect(await ledger.verify()).toMatchObject({ isIntact: true, lines: 4 });
    const lines = await ledger.lines({ from: 'oldest', limit: 10 });
    expect(lines.map((line) => 'call_id' in line.event && line.event.call_id)).toEqual([
      'call-1',
      'call-2',
      'call-3',
      'call-4',
    ]);
    await ledger.close();
  });
});

describe('a governance store of 0.1.0', () => {
  const place = { file: '', creates: true };
  beforeAll(() => (place.file = earlier('governance')));

  it('keeps its approvals, which are used once', async () => {
    const approvals = approvalsIn({
      ...place,
      now: () => Date.parse('2026-11-01T08:30:00.000Z'),
    });
    expect(await approvals.get('approval-1')).toMatchObject({
      state: 'approved',
      decisions: [{ by: 'bea' }],
    });
    expect(await approvals.get('approval-2')).toMatchObject({ state: 'pending' });
    const use = { binding: 'binding-1', callId: 'call-9' };
    expect(await approvals.consume(use)).toMatchObject({ id: 'approval-1' });
    expect(await approvals.consume(use)).toBeNull();
    await approvals.close();
  });

  it('keeps accepted tools and definitions', async () => {
    const pins = pinsIn(place);
    expect(await pins.pins('files')).toMatchObject([
      { tool: 'read', accepted: { definition: '{"name":"read"}' } },
    ]);
    await pins.close();
    const definitions = definitionsIn(place);
    expect(await definitions.history('kb.search')).toMatchObject([
      { schemaHash: 'hash-a', firstSeen: 1_000 },
    ]);
    await definitions.close();
  });
});

describe('memory of 0.1.0', () => {
  it('keeps its rows', async () => {
    const file = earlier('memory');
    expect(memoryRows(file)).toBe(2);
    const writer = new MemoryWriter(file, embedderNamed('lsa'));
    expect(await writer.status()).toMatchObject({ rows: { thoughts: 1, kg_entities: 1 }, incomparable: 0 });
    await writer.close();
  });
});

describe('a backup of 0.1.0', () => {
  commandOutput({ PITH_SECRET: SECRET });

  it('is restored, with an intact ledger', async () => {
    copyFileSync(join(SUPPORT, 'backup-1.tar.gz'), folder.file('backup.tar.gz'));
    const index = folder.file('restored/index.sqlite');
    await restore(
      folder.file('backup.tar.gz'),
      { index },
      { features: FEATURE_COMMANDS, engines: async () => COMMAND_ENGINES },
    );
    expect(memoryRows(index)).toBe(2);
    const file = folder.file('restored/index.ledger.sqlite');
    const ledger = new LocalLedgerStore({ file, keys: KEYS, open: openLedgerToWrite });
    expect(await ledger.verify()).toMatchObject({ isIntact: true, lines: 3 });
    await ledger.close();
    const work = openDatabase(folder.file('restored/index.work.sqlite'), { readOnly: true });
    expect(work.prepare('SELECT count(*) AS n FROM run').get()).toEqual({ n: expect.any(Number) });
    work.close();
  });
});
