import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SECTIONING_VERSION } from '../../../src/ingest/built-index.js';
import { indexDocument } from '../../../src/ingest/index-document.js';
import { walkFolder } from '../../../src/ingest/walk-folder.js';
import { FIXTURE_CORPUS } from '../../support/test-folder.js';

const RULES = { docTag: undefined, repository: 'repo', metadata: {}, declaredKeys: [] };
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Id and text hash of every section of a folder. */
async function sectionsOf(root: string): Promise<string[]> {
  const sections: string[] = [];
  for await (const file of walkFolder({ root, isWanted: () => true, usesIgnoreFiles: false })) {
    if (file.kind !== 'file') throw new Error(`${file.path}: ${file.kind}`);
    const bytes = await readFile(file.absolute);
    const document = await indexDocument({ file, bytes, rules: RULES, hash: '' });
    sections.push(...document.sections.map(({ id, text }) => `${id} ${hashOf(text)}`));
  }
  return sections;
}

describe('sectioning', () => {
  it('gives the fixtures these sections; a change of them requires a higher SECTIONING_VERSION', async () => {
    const sections = await sectionsOf(FIXTURE_CORPUS);
    expect({ version: SECTIONING_VERSION, sections }).toMatchSnapshot();
  });
});
