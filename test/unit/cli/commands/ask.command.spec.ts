import { askIndex, evidenceLines } from '../../../../src/cli/commands/ask.command.js';
import { withSession } from '../../../../src/cli/running/session.js';
import { parseConfig } from '../../../../src/config/config.js';
import type { RetrievedEvidence } from '../../../../src/kb/evidence.schemas.js';
import { openInProcess } from '../../../../src/main.in-process.js';
import { buildIndex, type TestFolder, testFolder } from '../../../support/build-index.js';
import { writeFiles } from '../../../support/write-files.js';

let folder: TestFolder;
beforeAll(async () => {
  folder = testFolder();
  writeFiles(folder.file('docs'), {
    'ship.md': '# Ships\n\nA ship lies\nat a berth.\n',
    'port.md': 'The port is 8443.\n',
  });
  await buildIndex(folder.file('docs'), folder.file('index.sqlite'));
});
afterAll(() => folder.remove());
const ask = (question: string, keywords: string[] = [], file = 'index.sqlite') =>
  withSession(openInProcess(parseConfig({ PITH_INDEX: folder.file(file) })), (session) =>
    askIndex(session, question, keywords),
  );

describe('askIndex', () => {
  it('answers from the configured index', async () => {
    expect((await ask('Where does a ship lie?')).quotes).toMatchObject([
      { quote: 'A ship lies\nat a berth.' },
    ]);
  });

  it('also searches with the keywords', async () => {
    expect((await ask('vessel', ['berth'])).quotes).toHaveLength(1);
  });

  it('rejects arguments that the tool rejects', async () => {
    const nine = Array.from({ length: 9 }, (_, i) => `word${i}`);
    await expect(ask('ship', nine)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'invalid_input',
      message: expect.stringContaining('keywords'),
    });
  });

  it('reports a missing index', async () => {
    await expect(ask('ship', [], 'nowhere.sqlite')).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'index_missing',
      hint: expect.stringContaining('pith index'),
    });
  });
});

describe('evidenceLines', () => {
  it('shows the syntax of documentation systems as what it means', () => {
    const quotes = [{ section_id: 'a.md', quote: ':::tip Berths\nMoor here.\n:::' }];
    const sources = [{ section_id: 'a.md', title: 'A' }];
    const lines = evidenceLines({ answerable: 'likely', quotes, sources } as unknown as RetrievedEvidence);
    expect(lines[2]).toBe('    “**Tip: Berths**\n     Moor here.”');
  });

  it('groups the quotes by source, and ends with the verdict', async () => {
    const lines = evidenceLines(await ask('Where does a ship lie?'));
    expect(lines.slice(0, 4)).toEqual(['Ships', '  ship.md', '    “A ship lies\n     at a berth.”', '']);
    expect(lines.at(-1)).toMatch(/likely|unsure/);
  });

  it('marks the gap between two quotes of a section', () => {
    const quotes = ['One ship.', 'Two ships.'].map((quote) => ({ quote, section_id: 'ship.md' }));
    const sources = [{ section_id: 'ship.md', title: 'Ships' }];
    const lines = evidenceLines({ answerable: 'likely', quotes, sources } as unknown as RetrievedEvidence);
    expect(lines.slice(2, 5)).toEqual(['    “One ship.”', '    […]', '    “Two ships.”']);
  });

  it('keeps the indentation of lines, and leaves out blank lines', () => {
    const quote = 'Do this:\n\n```py\ndef ship():\n    \n    return 1\n```';
    const quotes = [{ quote, section_id: 'ship.md' }];
    const sources = [{ section_id: 'ship.md', title: 'Ships' }];
    const lines = evidenceLines({ answerable: 'likely', quotes, sources } as unknown as RetrievedEvidence);
    expect(lines[2]?.split('\n')).toEqual([
      '    “Do this:',
      '     ```py',
      '     def ship():',
      '         return 1',
      '     ```”',
    ]);
  });

  it('reports that nothing was found, with a hint', async () => {
    expect(evidenceLines(await ask('zzz'))).toEqual([expect.stringMatching(/^Nothing found\. .+/)]);
  });
});
