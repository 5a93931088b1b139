import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallResult } from '../support/mcp-clients.js';
import { runPith } from '../support/run-pith.js';
import { openSite, type Site, TRANSPORTS } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const ROWS = Array.from({ length: 450 }, (_, i) => `| ${i} | value ${i} |`).join('\n');
const LONG = `# Long\n\n| n | value |\n|---|---|\n${ROWS}\n`;
let site: Site;
let off: Site;

/** The JSON blocks of the documentation: the arguments of a call, and a part of its result. */
const [asked, answered] = Array.from(
  readFileSync(join(__dirname, '../../docs/domains.md'), 'utf8')
    .split('\n## Documents\n')[1]
    ?.split('\n## ')[0]
    ?.matchAll(/```json\n([^]*?)\n```/g) ?? [],
  ([, json = '']) => JSON.parse(json) as Record<string, unknown>,
);

interface Listed {
  readonly tables: readonly {
    readonly rows: string[][];
    readonly section_id: string;
    readonly csv: string;
  }[];
  readonly sections: readonly { readonly section_id: string }[];
  readonly labels: readonly {
    readonly label: string;
    readonly facet: string | null;
    readonly passages: readonly { text: string }[];
  }[];
  readonly next_cursor: string | null;
}

const resultOf = ({ structuredContent }: CallResult): Listed => structuredContent as unknown as Listed;
const textOf = ({ content }: CallResult): string => content.map(({ text = '' }) => text).join('\n');

beforeAll(async () => {
  writeFiles(folder.file('docs'), {
    'guides/limits.md':
      '# Limits\n\nA plan has a limit of calls.\n\n| Plan | Calls |\n|---|---|\n| Free | 60 |\n',
    'guides/plans.md': '# Plans\n\nEach plan has a limit of calls per minute.\n',
    'recipes/soup.md': '# Soup\n\nBoil the carrots in water with salt.\n',
    'recipes/long.md': LONG,
  });
  await runPith(['index', folder.file('docs'), '--index', index]);
  site = await openSite(index, { env: { MCP_DOMAINS: 'document' } });
  off = await openSite(index, { transports: [['v2', 'stdio']] });
}, 120_000);

afterAll(async () => {
  await Promise.all([site?.stop(), off?.stop()]);
  folder.remove();
});

describe.each(TRANSPORTS)('the document tools for a %s client over %s', (era, transport) => {
  const call = (name: string, args: Record<string, unknown>) =>
    site.client(era, transport).call(`document.${name}`, args);

  it('answer the example of the documentation', async () => {
    const { tables } = resultOf(await call('extract_tables', asked ?? {}));
    expect(tables).toMatchObject([answered]);
  });

  it('give the sections of a sent document the ids of the index', async () => {
    const text = '# Limits\n\nA plan has a limit of calls.\n\n| Plan | Calls |\n|---|---|\n| Free | 60 |\n';
    const sent = resultOf(await call('parse', { text, path: 'guides/limits.md' }));
    const stored = resultOf(await call('parse', { document: 'guides/limits.md' }));
    expect(sent.sections).toEqual(stored.sections);
    expect(stored.sections.map(({ section_id }) => section_id)).toEqual(['guides/limits.md']);
  });

  it('return every row of a long table once, page by page', async () => {
    const rows: string[][] = [];
    let cursor: string | null = null;
    do {
      const page: Listed = resultOf(await call('extract_tables', { document: 'recipes/long.md', cursor }));
      rows.push(...page.tables.flatMap((table) => table.rows));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(rows).toEqual(Array.from({ length: 450 }, (_, i) => [`${i}`, `value ${i}`]));
  });

  it('classify by similar documents, and by given labels', async () => {
    const text = '# Quota\n\nThe plan limits the calls of a minute.\n';
    const [first] = resultOf(await call('classify', { text, facets: ['doc_tag'] })).labels;
    expect(first).toMatchObject({ facet: 'doc_tag', label: 'guides' });
    const labels = [{ label: 'cooking', description: 'soup, salt' }, { label: 'calls' }];
    const given = resultOf(await call('classify', { text, labels })).labels;
    expect(given.map(({ label }) => label)).toEqual(['calls', 'cooking']);
    expect(given[0]?.passages[0]?.text).toBe('The plan limits the calls of a minute.');
  });

  it('hide a document outside the scope like one that does not exist', async () => {
    const scope = { doc_tags: ['guides'] };
    const errors = await Promise.all(
      ['recipes/soup.md', 'recipes/none.md'].map((document) => call('parse', { document, scope })),
    );
    const [outside, missing] = errors.map(textOf);
    expect(outside).toContain('There is no document with this path in your scope.');
    expect(outside).toBe(missing);
  });

  it('take a text of the largest size', async () => {
    const text = `# A\n\n${'word '.repeat(13_000)}\n\n| a |\n|---|\n| 1 |\n`;
    expect(resultOf(await call('extract_tables', { text })).tables).toHaveLength(1);
  });
});

it('offers the tools only if MCP_DOMAINS names them', async () => {
  const names = (await off.client('v2', 'stdio').listTools()).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('document'))).toEqual([]);
});
