import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { aPdf, textLines } from '../support/a-pdf.js';
import { runPith } from '../support/processes.js';
import { testFolder } from '../support/test-folder.js';

const FIXTURES = join(process.cwd(), 'fixtures', 'formats');
const folder = testFolder();
const docs = folder.file('docs');
const index = folder.file('index.sqlite');

/**
 * Pith ends the conversion of a document after 60 s, and its thread may take 20 s to start again. Beside other suites, the
 * document with many elements comes close to that; the rest of a run may take as long.
 */
const RUN = { maxMs: 160_000 };
jest.setTimeout(180_000);

const HEADER = { local: 0x04034b50, central: 0x02014b50 };

/** States a size of 100 bytes for each file of an archive. */
function understate(archive: Uint8Array): Uint8Array {
  const bytes = Buffer.from(archive);
  for (let at = 0; at < bytes.length - 30; at++) {
    const mark = bytes.readUInt32LE(at);
    if (mark === HEADER.local) bytes.writeUInt32LE(100, at + 22);
    if (mark === HEADER.central) bytes.writeUInt32LE(100, at + 24);
  }
  return bytes;
}

async function ask(question: string): Promise<string> {
  const { stdout } = await runPith(['ask', question, '--index', index], RUN);
  return stdout;
}

beforeAll(async () => {
  cpSync(FIXTURES, docs, { recursive: true });
  const many = `<office><body><text>${'<p>a</p>'.repeat(20_000_000)}</text></body></office>`;
  const zeros = zipSync({ 'content.xml': new Uint8Array(150_000_000) }, { level: 1 });
  writeFileSync(join(docs, 'many.odt'), zipSync({ 'content.xml': strToU8(many) }, { level: 1 }));
  writeFileSync(join(docs, 'lie.odt'), understate(zeros));
  writeFileSync(
    join(docs, 'bomb.odt'),
    zipSync({ 'content.xml': new Uint8Array(250_000_000) }, { level: 1 }),
  );
  const page = (title: string, text: string) => ({
    texts: [...textLines([title], { size: 16, y: 740 }), ...textLines([text])],
  });
  const pages = [
    page('1 Tides', 'High water is at noon.'),
    page('2 Pilots', 'A pilot costs 75 EUR an hour.'),
  ];
  const bookmarks = [['1 Tides', 1] as const, ['2 Pilots', 2] as const];
  writeFileSync(
    join(docs, 'pilots.pdf'),
    aPdf({ title: 'Pilots of the harbour', outline: bookmarks, pages }),
  );
  writeFileSync(join(docs, 'torn.docx'), Buffer.from('PK\x03\x04 and nothing more'));
});

describe('documents of other formats', () => {
  it('are indexed, and each that cannot be read is named with the reason', async () => {
    const { code, stdout } = await runPith(['index', docs, '--index', index], RUN);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^10 documents, /);
    expect(stdout).toContain('bomb.odt: it unpacks to more than 200000000 bytes');
    expect(stdout).toContain('lie.odt: its XML is damaged');
    expect(stdout).toContain('many.odt: reading it was ended: it takes too long, or too much memory');
    expect(stdout).toContain('torn.docx: it is damaged: not a ZIP archive');
  });

  it.each([
    ['What is the deposit for a ship of 51 to 100 metres?', '90 EUR'],
    ['What is the fee per day of berth 2 in the berth fees of 2025?', '| 2 | 100 | 260'],
    ['How often is the rope of the crane changed?', 'Remind them that the rope is changed every 400 hours.'],
    ['What does a pilot cost an hour?', 'pilots.pdf#page=2\n    “A pilot costs 75 EUR an hour.”'],
  ])('answer %s', async (question, quote) => {
    expect(await ask(question)).toContain(quote);
  });

  it('are not read again while they are unchanged', async () => {
    const { stdout } = await runPith(['index', docs, '--index', index], RUN);
    expect(stdout).toMatch(/^0 parsed, 10 unchanged, 0 removed/m);
  });
});
