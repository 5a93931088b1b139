import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { evaluate } from '../../src/cli/commands/eval.command.js';
import { COMMAND_ENGINES } from '../../src/engines/command-engines.js';
import { openInProcess } from '../../src/main.in-process.js';
import { buildIndex, type TestFolder, testFolder } from '../support/build-index.js';
import { writeFiles } from '../support/write-files.js';

const SET = [
  {
    id: 'ships-1',
    question: 'Where does a ship lie?',
    type: 'factual',
    answers: [{ path: 'ship.md', heading: 'Ships', quote: 'A ship lies at a berth.' }],
  },
  { id: 'ships-2', question: 'Who paints the zeppelin?', type: 'unanswerable', answerable: false },
];

let folder: TestFolder;
let printed: string;
let complained: string;

beforeAll(async () => {
  folder = testFolder();
  writeFiles(folder.file('docs'), {
    'ship.md': '# Ships\n\nA ship lies\nat a berth.\n',
    'port.md': 'Port 8443.\n',
  });
  writeFileSync(folder.file('ships.jsonl'), SET.map((line) => JSON.stringify(line)).join('\n'));
  await buildIndex(folder.file('docs'), folder.file('index.sqlite'));
});
afterAll(() => folder.remove());

beforeEach(() => {
  [printed, complained] = ['', ''];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed += String(text)), true));
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => ((complained += String(text)), true));
});
afterEach(() => jest.restoreAllMocks());

const clocks = () => {
  let ticks = 0;
  return { now: () => Date.UTC(2026, 0, 2), elapsed: () => ticks++ };
};
const run = (flags: Record<string, string | string[]> = {}, sets = ['ships.jsonl'], index = 'index.sqlite') =>
  evaluate(
    sets.map((set) => folder.file(set)),
    { index: folder.file(index), out: folder.file('out'), ...flags },
    { open: openInProcess, engines: async () => COMMAND_ENGINES, clocks: clocks() },
  );
const reported = (name: string): string => readFileSync(folder.file(`out/${name}`), 'utf8');

describe('evaluate', () => {
  it('prints the figures and writes report and run, named by set and date', async () => {
    expect(await run()).toBe(0);
    expect(printed).toMatch(/^ships: 2 questions\n {2}ANSWERED +1\.000/);
    expect(readdirSync(folder.file('out'))).toEqual(['ships-2026-01-02.json', 'ships-2026-01-02.md']);
    expect(reported('ships-2026-01-02.md')).toContain('| ANSWERED | `answered` | 1.000 | 1.000 to 1.000 |');
    expect(JSON.parse(reported('ships-2026-01-02.json'))).toMatchObject({
      format: 1,
      name: 'ships',
      warnings: [],
    });
  });

  it('gives the same bytes each time', async () => {
    await run();
    const before = reported('ships-2026-01-02.json');
    await run();
    expect(reported('ships-2026-01-02.json')).toBe(before);
  });

  it('compares with a saved run', async () => {
    await run();
    await run({ baseline: [folder.file('out/ships-2026-01-02.json')] });
    expect(reported('ships-2026-01-02.md')).toContain('## Compared with the run of 2026-01-02');
    expect(printed).toMatch(/ANSWERED .* 0\.000 +p 1\.000/);
  });

  it('indexes a folder for the run', async () => {
    expect(await run({ corpus: folder.file('docs') }, ['ships.jsonl'], 'none.sqlite')).toBe(0);
    expect(printed).toContain('ANSWERED  ');
  });

  it('warns about gold sections that are not in the index', async () => {
    const line = {
      id: 'x',
      question: 'Where?',
      answers: [{ path: 'gone.md', quote: 'A ship lies at a berth.' }],
    };
    writeFileSync(folder.file('gone.jsonl'), JSON.stringify(line));
    await run({}, ['gone.jsonl']);
    expect(printed).toContain('warning: 1 gold pages are not in the index');
    expect(printed).toContain('x gone.md');
  });

  it('ends with 1 below a minimum, and names it', async () => {
    expect(await run({ setFloor: 'answered=1,page=1' })).toBe(0);
    expect(await run({ setFloor: 'contentTokens=1' })).toBe(1);
    expect(complained).toMatch(/ships: contentTokens is [\d.]+, above 1/);
  });

  it.each([
    ['an unknown figure', { setFloor: 'anwsered=.5' }, 'eval_floor_unknown'],
    ['a missing baseline', { baseline: ['none.json'] }, 'eval_input_malformed'],
    ['missing keywords', { keywords: 'none.jsonl' }, 'eval_input_unreadable'],
    ['a missing corpus', { corpus: 'nowhere' }, 'folder_missing'],
  ])('refuses %s', async (_, flags, reason) => {
    await expect(run(flags)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', reason });
  });

  it('reports a missing index', async () => {
    await expect(run({}, ['ships.jsonl'], 'none.sqlite')).rejects.toMatchObject({ reason: 'index_missing' });
  });
});
