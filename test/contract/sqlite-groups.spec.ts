import { copyFileSync } from 'node:fs';
import { openDatabase } from '../../src/sqlite/driver.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../src/sqlite/reader-ports.js';
import { anIndexedDocument, aQuery, EVERYTHING, idsOf } from '../support/indexed-documents.js';
import { testFolder } from '../support/test-folder.js';
import { inProcess, publish } from './sqlite-subjects.js';

const folder = testFolder();
const file = folder.file('index.sqlite');
const index = inProcess(file, 'lsa');
const graph = makePort('graph', new SqliteReader(file, embedderNamed('lsa')));
afterAll(async () => {
  await index.close();
  await graph.close();
  folder.remove();
});

const OPEN = anIndexedDocument({ path: 'open.md', title: 'Lunch', texts: ['kestrel lunch'] });
const PAY = anIndexedDocument({
  ...{ path: 'pay.md', title: 'Pay', docTag: 'pay', metadata: { topic: 'pay' }, allowed: ['hr'] },
  texts: ['kestrel salaries of `PayRoll`'],
});
const NOBODY = { ...EVERYTHING };
const MEMBER = { ...EVERYTHING, groups: ['hr'] };
const OTHER = { ...EVERYTHING, groups: ['eng'] };
const ALL = { ...EVERYTHING, groups: null };

const find = async (text: string, scope = NOBODY) => idsOf(await index.search(aQuery(text, { scope })));
const rulesFor = (lists: Readonly<Record<string, string[][]>>) => ({
  isUsed: true,
  listsFor: (path: string) => lists[path] ?? [],
  keepsStored: () => false,
});

describe('a document with groups in an index file', () => {
  beforeAll(() => publish(file, [OPEN, PAY]));

  it.each([
    ['a caller without groups', NOBODY, ['open.md']],
    ['another group', OTHER, ['open.md']],
    ['a member', MEMBER, ['open.md', 'pay.md']],
    ['a caller with all groups', ALL, ['open.md', 'pay.md']],
  ])('is found as far as %s may see it', async (_, scope, paths) => {
    expect((await find('kestrel', scope)).sort()).toEqual(paths);
    expect((await index.documents(scope, 0, 10)).documents.map(({ path }) => path)).toEqual(paths);
    expect((await index.sections(scope, ['open.md', 'pay.md'])).sections).toHaveLength(paths.length);
    expect(await index.facts(scope, 10)).toMatchObject({ documents: paths.length, sections: paths.length });
  });

  it('gives no tags, keys, sizes, nodes, quotes or words to others', async () => {
    const facts = await index.facts(NOBODY, 10);
    expect([facts.docTags.map(({ value }) => value), facts.titles, facts.bytes]).toEqual([
      ['docs'],
      ['Lunch'],
      0,
    ]);
    expect((await index.corpus(NOBODY)).taxonomy).toEqual([]);
    expect(await index.neighbours(NOBODY, 'pay.md', 1)).toBeNull();
    const quote = { text: 'salaries of', path: 'pay.md' };
    const absent = { text: 'wages of', path: 'pay.md' };
    expect(await index.quoting(NOBODY, quote)).toEqual(await index.quoting(NOBODY, absent));
    const nodes = await graph.describe(NOBODY, ['pay.md', 'pay.md#_document', 'entity:payroll'], true);
    expect(nodes.nodes).toEqual([null, null, null]);
    const { rewrites, nearest, documentFrequency } = await index.search(aQuery('salares', { scope: NOBODY }));
    expect([rewrites, nearest ?? [], Object.values(documentFrequency)]).toEqual([[], [], [0]]);
  });

  it('does not show by the size of the file if something is hidden', async () => {
    const sizeFor = async (scope: typeof NOBODY) => (await index.facts(scope, 10)).bytes;
    expect([await sizeFor(MEMBER), await sizeFor(OTHER)]).toEqual([0, 0]);
    expect(await sizeFor(ALL)).toBeGreaterThan(0);
  });

  it('carries its lists, so that they are checked again', async () => {
    const { sections } = await index.sections(MEMBER, ['pay.md', 'open.md']);
    expect(sections.map(({ document }) => document.allow)).toEqual([[['hr']], undefined]);
  });
});

it('changes of groups are published without sections, and back', async () => {
  await publish(file, [OPEN, PAY]);
  const countRows = (): unknown => {
    const database = openDatabase(file);
    const rows = database.prepare('SELECT max(id) AS last, count(*) AS n FROM section').get();
    database.close();
    return rows;
  };
  const before = countRows();
  const { generation } = await index.stamp();
  const limited = await publish(file, [OPEN, PAY], { groupRules: rulesFor({ 'open.md': [['eng']] }) });
  expect(limited).toMatchObject({ limited: 2 });
  expect([await find('kestrel'), await find('kestrel', OTHER)]).toEqual([[], ['open.md']]);
  expect(countRows()).toEqual(before);
  expect((await index.stamp()).generation).not.toBe(generation);
  await publish(file, [OPEN, PAY]);
  expect(await find('kestrel')).toEqual(['open.md']);
  const unchanged = (await index.stamp()).generation;
  await publish(file, [OPEN, PAY]);
  expect((await index.stamp()).generation).toBe(unchanged);
});

it('a file that was restored from a backup, and changed, has another generation', async () => {
  await publish(file, [OPEN, PAY]);
  const backup = folder.file('backup.sqlite');
  copyFileSync(file, backup);
  const publishRules = async (rules: Readonly<Record<string, string[][]>>): Promise<string> => {
    const { generation } = await publish(file, [OPEN, PAY], { groupRules: rulesFor(rules) });
    expect((await index.stamp()).generation).toBe(generation);
    return generation;
  };
  const first = await publishRules({});
  expect(await find('kestrel lunch')).toEqual(['open.md']);
  copyFileSync(backup, file);
  const second = await publishRules({ 'open.md': [['eng']] });
  expect(second).not.toBe(first);
  expect(await find('kestrel lunch')).toEqual([]);
});
