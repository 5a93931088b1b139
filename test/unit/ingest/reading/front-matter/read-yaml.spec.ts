import { readYaml } from '../../../../../src/ingest/reading/front-matter/read-yaml.js';

describe('readYaml', () => {
  it.each([
    'one',
    'two words',
    "it's",
    'say "hi"',
    'a:b',
    'a#b',
    'https://a.example/b?c=d#e',
    '06/28/2023',
    '2020-01-01',
    '2.0.0',
    '3 apples',
    '"quoted: # text"',
    '""',
    '["a", "b, c"]',
    '["a","b"]',
    // Read in another way than written.
    '1',
    '1.0',
    '1.',
    '1..2',
    '0x1f',
    '1e3',
    '1.5e3',
    '1_000',
    'null',
    'True',
    'a: b',
    'a #b',
    'a:',
    '[]',
    '[a]',
    '"a" b',
    '"a\\n"',
    '~',
    '*a',
  ])('reads %s alone as below an entry of another form', (value) => {
    const alone = readYaml(`key: ${value}\n# comment: x\ntitle: T\n`);
    const below = readYaml(`key: ${value}\n# comment: x\ntitle: T\nlist:\n  - b\n`);
    const frontMatter = { ...below?.frontMatter };
    delete frontMatter['list'];
    const written = below?.written.filter(({ key }) => key !== 'list');
    expect(alone).toEqual({ ...below, frontMatter, written });
  });

  it('reports equal keys', () => {
    expect(readYaml('a: one\na: two')?.problems).toHaveLength(1);
  });

  it('reads names that all objects have', () => {
    expect(readYaml('constructor: one')?.frontMatter).toEqual({ constructor: 'one' });
  });

  it('reads nothing from comments', () => {
    expect(readYaml('# a: b\n')?.frontMatter).toEqual({});
  });
});
