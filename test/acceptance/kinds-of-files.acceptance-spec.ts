import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPith } from '../support/processes.js';
import { testFolder } from '../support/test-folder.js';

const folder = testFolder();
const docs = folder.file('docs');
const index = folder.file('index.sqlite');

/** Files that are read, each with a sentence that no other has. */
const READ: readonly (readonly [path: string, text: string, question: string, quote: string])[] = [
  [
    'api/openapi.yaml',
    'openapi: 3.0.3\ninfo: {title: Port}\npaths:\n  /cranes:\n    get:\n      description: Lists the cranes that lift amber.\n      responses: {}\n',
    'Which cranes does GET /cranes list?',
    'Lists the cranes that lift amber.',
  ],
  [
    'api/swagger.json',
    '{"swagger": "2.0", "info": {"title": "Old"}, "paths": {"/tugs": {"get": {"description": "Lists the tugs that burn birch.", "responses": {}}}}}',
    'Which tugs does GET /tugs list?',
    'Lists the tugs that burn birch.',
  ],
  [
    'api/events.yml',
    'asyncapi: 3.0.0\ninfo: {title: Events}\nchannels:\n  tides:\n    description: Tells when the tide reaches the cedar pole.\n',
    'When does the channel tides tell?',
    'Tells when the tide reaches the cedar pole.',
  ],
  [
    'api/berth.json',
    '{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Berth", "description": "A berth has planks of damson.", "type": "object"}',
    'What planks does a berth have?',
    'A berth has planks of damson.',
  ],
  [
    'wiki/a.org',
    '* Keels\nKeels are made of fig wood.\n',
    'What are keels made of?',
    'Keels are made of fig wood.',
  ],
  [
    'wiki/a.wiki',
    '== Masts ==\nMasts are made of gum wood.\n',
    'What are masts made of?',
    'Masts are made of gum wood.',
  ],
  [
    'wiki/b.mediawiki',
    '== Oars ==\nOars are made of hazel wood.\n',
    'What are oars made of?',
    'Oars are made of hazel wood.',
  ],
  [
    'wiki/a.dokuwiki',
    '==== Decks ====\nDecks are made of ironwood.\n',
    'What are decks made of?',
    'Decks are made of ironwood.',
  ],
  [
    'wiki/a.textile',
    'h2. Ribs\n\nRibs are made of juniper.\n',
    'What are ribs made of?',
    'Ribs are made of juniper.',
  ],
  [
    'xml/docbook.xml',
    '<article xmlns="http://docbook.org/ns/docbook"><title>Piers</title><para>Piers stand on posts of kauri.</para></article>',
    'What do piers stand on?',
    'Piers stand on posts of kauri.',
  ],
  [
    'xml/topic.dita',
    '<topic id="a"><title>Sheds</title><body><p>Sheds have doors of larch.</p></body></topic>',
    'What doors do sheds have?',
    'Sheds have doors of larch.',
  ],
  [
    'a.rtf',
    '{\\rtf1\\ansi Sails are sewn with thread of maple.\\par}',
    'What are sails sewn with?',
    'Sails are sewn with thread of maple.',
  ],
  [
    'a.tex',
    '\\documentclass{article}\\begin{document}\\section{Flags}Flags are dyed with nutmeg.\\end{document}',
    'What are flags dyed with?',
    'Flags are dyed with nutmeg.',
  ],
  [
    'man/moor.1',
    '.TH MOOR 1\n.SH OPTIONS\n.TP\n.B \\-\\-elder\nTies the ship with ropes of elder.\n',
    'What does the option --elder of moor do?',
    'Ties the ship with ropes of elder.',
  ],
];

/** Files that are not read. */
const UNREAD: readonly (readonly [path: string, text: string, line: string])[] = [
  ['data/package.json', '{"name": "a"}', '1 .json'],
  ['data/settings.yaml', 'a: 1\n', '1 .yaml'],
  ['data/release-1.2', 'a\n', '1 .2'],
  ['old/a.doc', 'a', '1 .doc: save as .docx'],
  ['old/a.ppt', 'a', '1 .ppt: save as .pptx'],
  ['old/a.xls', 'a', '1 .xls: save as .xlsx'],
  ['old/a.pages', 'a', '1 .pages: export as .docx'],
  ['old/a.key', 'a', '1 .key: export as .pptx'],
  ['old/a.numbers', 'a', '1 .numbers: export as .xlsx'],
  ['old/a.chm', 'a', '1 .chm: convert to HTML'],
  ['old/a.djvu', 'a', '1 .djvu: convert to text'],
];

let report: string;

beforeAll(async () => {
  for (const [path, text] of [...READ, ...UNREAD]) {
    mkdirSync(join(docs, path, '..'), { recursive: true });
    writeFileSync(join(docs, path), text);
  }
  execFileSync('mkfifo', [join(docs, 'pipe.json')]);
  ({ stdout: report } = await runPith(['index', docs, '--index', index]));
});

describe('a folder with a file of each kind', () => {
  it('is indexed, a document for each file that is read', () => {
    expect(report).toMatch(new RegExp(`^${READ.length} documents, `));
  });

  it.each(READ.map(([path, , question, quote]) => [path, question, quote]))(
    'answers from %s',
    async (path, question, quote) => {
      const { stdout } = await runPith(['ask', question, '--index', index]);
      expect(stdout).toContain(quote);
      expect(stdout).toContain(path);
    },
  );

  it.each(UNREAD.map(([path, , line]) => [path, line]))('names %s in the report', (_, line) => {
    expect(report).toMatch(new RegExp(`^ .*\\b${line}\\b`, 'm'));
  });
});
