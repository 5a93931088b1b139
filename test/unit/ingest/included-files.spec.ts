import { symlinkSync } from 'node:fs';
import { embedderNamed } from '../../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../../src/sqlite/reader-ports.js';
import { buildIndex } from '../../support/build-index.js';
import { aQuery } from '../../support/indexed-documents.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
  writeFiles(folder.file('docs'), {
    'guide.md': '# Guide\n\nRun the tracer:\n\n{* src/tracer.py *}\n',
    'src/tracer.py': 'import kestrel\n',
  });
});
afterEach(() => folder.remove());

const build = () => buildIndex(folder.file('docs'), folder.file('index.sqlite'));

async function textsWith(term: string): Promise<string[]> {
  const index = makePort('sections', new SqliteReader(folder.file('index.sqlite'), embedderNamed('lsa')));
  const { candidates } = await index.search(aQuery(term, { scope: { projectId: 'docs' } }));
  await index.close();
  return candidates.map(({ section }) => section.text);
}

describe('files that pages include', () => {
  it('are part of the text of the page', async () => {
    await build();
    expect(await textsWith('kestrel')).toEqual(['Run the tracer:\n\n```py\nimport kestrel\n```']);
  });

  it('make the page change when they change', async () => {
    await build();
    writeFiles(folder.file('docs'), { 'src/tracer.py': 'import osprey\n' });
    expect(await build()).toMatchObject({ parsed: 1 });
    expect([await textsWith('kestrel'), (await textsWith('osprey')).length]).toEqual([[], 1]);
  });

  it.each([
    ['is outside the folder', '../outside.py'],
    ['is a symbolic link', 'link.py'],
    ['is behind a symbolic link', 'linked/outside.py'],
    ['is hidden', '.env'],
    ['is ignored', 'ignored.py'],
    ['is not text', 'binary.py'],
  ])('are not read if one %s', async (_, path) => {
    writeFiles(folder.file('.'), { 'outside.py': 'kestrel', 'far/outside.py': 'kestrel' });
    writeFiles(folder.file('docs'), {
      'guide.md': `# Guide\n\nText.\n\n{* ${path} *}\n\n--8<-- "${path}"\n`,
      '.env': 'kestrel',
      '.ignore': 'ignored.py\n',
      'ignored.py': 'kestrel',
      'binary.py': 'kestrel\0',
    });
    symlinkSync(folder.file('outside.py'), folder.file('docs/link.py'));
    symlinkSync(folder.file('far'), folder.file('docs/linked'));
    await build();
    expect(await textsWith('kestrel')).toEqual([]);
  });
});
