import { createHmac, hkdfSync } from 'node:crypto';
import { eventText } from '../../src/governance/ledger/event-text.js';
import { LocalLedgerStore } from '../../src/governance/ledger/store/local-ledger-store.js';
import { openLedgerToWrite } from '../../src/governance/ledger/store/open-ledger-file.js';
import { openDatabase } from '../../src/sqlite/driver.js';
import { canonicalJson } from '../../src/text/canonical-json.js';
import { anEnd, aStart, KEYS, TIME } from '../support/a-ledger.js';
import { SECRET } from '../support/builders.js';
import { poll, runAll, runPith, startPith } from '../support/processes.js';
import { testFolder } from '../support/test-folder.js';

const folder = testFolder();
const file = folder.file('calls here.sqlite');
const env = { PITH_SECRET: SECRET };
const EVENTS = [
  aStart(),
  anEnd(),
  aStart({ call_id: 'call-2', run_id: 'run-2', tool: '=HYPERLINK("a")' }),
  anEnd({ call_id: 'call-2', run_id: 'run-2', outcome: 'refused', executed: false }),
];

async function write(name: string, events = EVENTS): Promise<void> {
  const ledger = new LocalLedgerStore({ file: name, keys: KEYS, open: openLedgerToWrite });
  await ledger.append(
    events.map((event) => ({ time: TIME, event: eventText(event) })),
    true,
  );
  await ledger.close();
}

const ledger = (...args: string[]) => runPith(['ledger', ...args, '--file', file], { env });

beforeAll(() => write(file));
afterAll(() => folder.remove());

describe('pith ledger --help', () => {
  it('explains the commands, their options and exit codes', async () => {
    const help = await runAll({
      all: [['ledger', '--help']],
      verify: [['ledger', 'verify', '--help']],
      exported: [['ledger', 'export', '--help']],
      show: [['ledger', 'show', '--help']],
      tail: [['ledger', 'tail', '--help']],
    });
    const text = Object.entries(help).map(([name, { stdout }]) => `${name}\n${stdout}`);
    expect(text.join('\n')).toMatchSnapshot();
  });
});

describe('pith ledger verify', () => {
  it('says that the ledger is intact, with a mark that it accepts later', async () => {
    const { code, stdout } = await ledger('verify');
    expect(code).toBe(0);
    expect(stdout).toMatch(/is intact: 4 lines, 1 to 4\.\nMark: 4:[\w-]{43}\n$/);
    const mark = /Mark: (\S+)/.exec(stdout)?.[1] ?? '';
    expect(await ledger('verify', '--mark', mark)).toMatchObject({ code: 0 });
    const later = await ledger('verify', '--mark', mark.replace('4:', '5:'));
    expect(later).toMatchObject({ code: 1, stdout: expect.stringContaining('First bad line: 5.') });
  });

  it('exits with 1 and names the first bad line', async () => {
    const copy = folder.file('changed.sqlite');
    await write(copy);
    const database = openDatabase(copy);
    database.exec("UPDATE line SET event = replace(event, 'success', 'refused') WHERE seq = 2");
    database.close();
    const { code, stdout } = await runPith(['ledger', 'verify', '--file', copy], { env });
    expect(code).toBe(1);
    expect(stdout).toContain('First bad line: 2. Line 2 is not what the ledger wrote');
    const json = await runPith(['ledger', 'verify', '--json', '--file', copy], { env });
    expect(JSON.parse(json.stdout)).toMatchObject({
      isIntact: false,
      badSeq: 2,
      damage: 'changed',
      lines: 1,
    });
  });

  it.each([
    ['no ledger', ['--file', folder.file('none.sqlite')], env, 1, 'There is no ledger at'],
    ['neither a ledger nor a secret', [], {}, 1, '.pith/index.ledger.sqlite.\n      It is beside the index'],
    [
      'no secret',
      ['--file', file],
      {},
      1,
      '.pith/index.sqlite.secret.\n      Name the index of the server with --index',
    ],
    ['a wrong mark', ['--file', file, '--mark', '5'], env, 2, 'NUMBER:HASH'],
  ])('fails with %s', async (_, args, environment, code, message) => {
    const run = await runPith(['ledger', 'verify', ...args], { env: environment, cwd: folder.path });
    expect(run).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });

  it('exits with 1 if the ledger was written with another secret', async () => {
    const other = { PITH_SECRET: 'another secret of at least thirty-two characters' };
    const run = await runPith(['ledger', 'verify', '--file', file], { env: other });
    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining('another server secret') });
  });
});

describe('pith ledger show', () => {
  it('prints the lines of one run', async () => {
    const { stdout } = await ledger('show', 'run-1');
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringContaining('tool.call.started      kb.search'),
      expect.stringContaining('tool.call.completed    kb.search · success'),
    ]);
    const json = await ledger('show', 'run-2', '--json');
    expect(
      json.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).event),
    ).toEqual(EVENTS.slice(2));
  });

  it('says that there is no such run', async () => {
    const run = await ledger('show', 'run-3');
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('no lines of run "run-3"') });
  });
});

describe('pith ledger export', () => {
  it('prints JSON lines', async () => {
    const { stdout } = await ledger('export', '--format', 'jsonl');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).event),
    ).toEqual(EVENTS);
  });

  it('prints what the hashes cover, as the documentation says', async () => {
    const { stdout } = await ledger('export');
    const { hash, ...rest } = JSON.parse(stdout.split('\n')[1] ?? '');
    const key = Buffer.from(hkdfSync('sha256', SECRET, '', 'pith ledger chain', 32));
    expect(createHmac('sha256', key).update(canonicalJson(rest)).digest('base64url')).toBe(hash);
  });

  it('prints CSV that a spreadsheet does not run', async () => {
    const { stdout } = await ledger('export', '--format', 'csv');
    const rows = stdout.trimEnd().split('\r\n');
    expect(rows).toHaveLength(5);
    expect(rows[3]).toContain(`,"'=HYPERLINK(""a"")",`);
  });
});

describe('pith ledger tail', () => {
  it('prints the last lines, then new ones of another process, and ends when told', async () => {
    const copy = folder.file('followed.sqlite');
    await write(copy);
    const tail = startPith(['ledger', 'tail', '--file', copy], { env });
    await poll('the last lines', () => (tail.stdout().split('\n').length > 4 ? true : undefined));
    await write(copy, [aStart({ tool: 'graph.expand' })]);
    await poll('a new line', () => (tail.stdout().includes('graph.expand') ? true : undefined));
    expect(await tail.stop()).toMatchObject({ code: 0 });
    expect(tail.stdout().trimEnd().split('\n')).toHaveLength(5);
  });
});
