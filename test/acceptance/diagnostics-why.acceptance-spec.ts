import { mkdtempSync } from 'node:fs';
import { lookForSection } from '../../src/cli/commands/why.command.js';
import type { ToolRun } from '../../src/cli/running/run-again.js';
import { parseConfig } from '../../src/config/config.js';
import { DiagnosticWriter } from '../../src/diagnostics/archive/diagnostic-writer.js';
import type { DiagnosticRecord } from '../../src/diagnostics/record/diagnostic-record.js';
import { whyMissing } from '../../src/diagnostics/why/why-missing.js';
import { openInProcess } from '../../src/main.in-process.js';
import { aDiagnosticRecord, type DiagnosticParts } from '../support/a-diagnostic.js';
import { buildIndex } from '../support/build-index.js';
import { copyShare, corpusFolder, drawQueries } from '../support/corpora.js';
import { diagnosed } from '../support/diagnosed-calls.js';
import { pithIndex } from '../support/processes.js';
import { type PithOptions, type PithRun, runPith } from '../support/run-pith.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const dir = folder.file('diagnostics');
const birds = folder.file('birds.sqlite');
const large = folder.file('large.sqlite');
const TEXTS = { RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT: 'true' };

const LANTERN =
  'The lantern at the end of the pier burns from dusk until dawn, and a keeper trims it twice a night, ' +
  'whatever the weather, as the charter of the town has asked of him for two hundred years.';
const BIRDS = {
  '.pith.yaml': "project: birds\ndocuments:\n  - match: ['copy/**']\n    doc_tag: copies\n",
  'kestrel.md':
    '# Kestrel\n\n## Hunting\n\nThe kestrel hovers over a meadow until a vole stirs.\n\n' +
    '## Nesting\n\nThe kestrel takes the nest of a crow, high up in a tree.\n',
  'copy/a.md': `# Lantern\n\n${LANTERN}\n`,
  'copy/b.md': `# Lantern\n\n${LANTERN}\n`,
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `page-${i}.md`,
      `# Page ${i}\n\nThe harbour keeps gate number ${i}.\n`,
    ]),
  ),
};

/** Runs `pith diagnostics …` on an index of the test. */
function diagnostics(index: string, args: readonly string[], options: PithOptions = {}): Promise<PithRun> {
  const [command = '', ...rest] = args;
  return runPith(['diagnostics', command, '--dir', dir, '--index', index, ...rest], options);
}

interface Why {
  readonly causes: readonly {
    cause: string;
    rank: number | null;
    of: number | null;
    others: string[];
    said: string;
    next: string;
  }[];
  readonly [key: string]: unknown;
}

async function why(index: string, args: readonly string[], options?: PithOptions): Promise<Why> {
  const { code, stdout, stderr } = await diagnostics(index, ['why', '--json', ...args], options);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Why;
}

const causeOf = async (index: string, args: readonly string[], options?: PithOptions) =>
  (await why(index, args, options)).causes[0];

beforeAll(async () => {
  writeFiles(folder.file('birds'), BIRDS);
  await pithIndex(folder.file('birds'), birds);
});

afterAll(() => folder.remove());

describe('pith diagnostics why', () => {
  const SEARCH = ['--tool', 'kb.search'];

  it('names ids similar to an unknown one', async () => {
    const cause = await causeOf(birds, ['kestrl.md#hunting', '-q', 'kestrel']);
    expect(cause).toMatchObject({ cause: 'not_indexed' });
    expect(cause?.others[0]).toBe('kestrel.md#hunting');
  });

  it('names the tag outside the scope, and the filter that excludes the section', async () => {
    const env = { PITH_DOC_TAGS: 'copies' };
    const scoped = await causeOf(birds, ['kestrel.md', '-q', 'kestrel'], { env });
    expect(scoped).toMatchObject({ cause: 'outside_scope' });
    expect(scoped?.said).toMatch(/its doc_tag is ".*"; the scope allows copies/);
    const filtered = await causeOf(birds, ['kestrel.md', '-q', 'kestrel', '--doc-tag', 'copies']);
    expect(filtered).toMatchObject({ cause: 'outside_filters' });
    expect(filtered?.said).toMatch(/the filter requires "copies"/);
    const elsewhere = await causeOf(birds, ['kestrel.md', '-q', 'kestrel', '--path-prefix', 'copy/']);
    expect(elsewhere?.said).toMatch(/the filter requires the prefix "copy\/"/);
    const older = await causeOf(birds, ['kestrel.md', '-q', 'kestrel', '--updated-after', '2999-01-01']);
    expect(older).toMatchObject({ cause: 'outside_filters' });
  });

  it('looks for the section of a page that got furthest', async () => {
    const told = await why(birds, ['kestrel.md', '-q', 'Whose nest does the kestrel take?']);
    expect(told).toMatchObject({ section_id: 'kestrel.md#nesting', causes: [{ cause: 'returned' }] });
  });

  it('names the query words if the section contains none', async () => {
    const cause = await causeOf(birds, ['copy/a.md', '-q', 'Where do kestrels hunt voles?']);
    expect(cause).toMatchObject({ cause: 'no_word' });
    expect(cause?.said).toMatch(/kestrels.*voles/);
  });

  it('distinguishes common words from no words', async () => {
    const cause = await causeOf(birds, ['page-3.md', '-q', 'harbour kestrel']);
    expect(cause).toMatchObject({ cause: 'common_words' });
    expect(cause?.said).toContain('too common to search for: harbour.');
  });

  it('names the sections of its document that rank above it', async () => {
    const both = await Promise.all(
      ['kestrel.md#hunting', 'kestrel.md#nesting'].map((id) =>
        causeOf(birds, [id, '-q', 'kestrel', ...SEARCH, '--max-per-doc', '1']),
      ),
    );
    const dropped = both.find((loss) => loss?.cause === 'same_document');
    expect(both.map((loss) => loss?.cause).sort()).toEqual(['returned', 'same_document']);
    expect(dropped?.others).toEqual([expect.stringMatching(/^kestrel\.md#/)]);
    const more = await causeOf(birds, [
      'kestrel.md#nesting',
      '-q',
      'kestrel',
      ...SEARCH,
      '--max-per-doc',
      '2',
    ]);
    expect(more).toMatchObject({ cause: 'returned' });
  });

  it('names the section that it duplicates', async () => {
    const cause = await causeOf(birds, ['copy/b.md', '-q', 'lantern keeper', ...SEARCH]);
    expect(cause).toMatchObject({ cause: 'near_duplicate', others: ['copy/a.md'] });
  });

  it('returns its rank below the end of the list', async () => {
    const cause = await causeOf(birds, ['copy/a.md', '-q', 'kestrel kestrel meadow lantern', '--top-k', '1']);
    expect(cause).toMatchObject({ cause: 'below_list', rank: 2, of: expect.any(Number) });
    expect(cause?.next).toContain('top_k');
  });

  it('uses question, settings and scope of a diagnostic, and reports its recorded fate', async () => {
    const asked = { query: 'kestrel lantern', top_k: 5, page_size: 1 };
    const [record] = await diagnosed({ index: birds, dir, env: TEXTS }, ['kb.search', asked]);
    const second = record?.left_out[0]?.chunk_id ?? '';
    const told = await why(birds, [second, '--id', record?.diagnostic_id ?? '']);
    expect(told).toMatchObject({
      causes: [{ cause: 'other_page', rank: 2 }],
      is_same_query: true,
      record: { fate: 'other_page', rank: 2 },
    });
    const text = await diagnostics(birds, ['why', second, '--id', record?.diagnostic_id ?? '']);
    expect(text.stdout).toMatch(
      /Diagnostic: at that time the section was in the list, on another page, at rank 2\./,
    );
    expect(text.stdout).not.toMatch(/.{140}/);
  });

  it('needs the question again if it was not stored', async () => {
    const [record] = await diagnosed({ index: birds, dir }, [
      'kb.retrieve_evidence',
      { question: 'kestrel' },
    ]);
    const id = record?.diagnostic_id ?? '';
    const without = await diagnostics(birds, ['why', 'kestrel.md', '--id', id]);
    expect(without).toMatchObject({ code: 1, stdout: '' });
    expect(without.stderr).toMatch(/was not stored\.\n.*--query/);
    expect(await why(birds, ['kestrel.md', '--id', id, '-q', 'kestrel'])).toMatchObject({
      causes: [{ cause: 'returned' }],
      is_same_query: true,
    });
    const other = await diagnostics(birds, ['why', 'kestrel.md', '--id', id, '-q', 'owl']);
    expect(other.stdout).toContain('This query is NOT the recorded one');
    expect((await diagnostics(birds, ['why', 'kestrel.md'])).stderr).toMatch(/--query.*--id/);
  });

  it.each([
    ['an escape sequence', '\u001b[2J\u001b]0;owned\u0007#x'],
    ['marks that turn text around', '\u202eslipped\u2066.md'],
    ['64 KB', 'kestrel.md#'.repeat(6_000)],
    ['a path out of the folder', '../../../etc/passwd'],
    ['SQL', "kestrel.md' OR 1 --"],
    ['percent signs', '%00%ff%'],
    ['a prototype key', '__proto__'],
    ['an option', '--help'],
    ['nothing', ''],
    ['a mark alone', '#'],
  ])('treats %s as an unknown id', async (_, id) => {
    const [json, text] = await Promise.all([
      diagnostics(birds, ['why', '-q', 'kestrel', '--json', '--', id]),
      diagnostics(birds, ['why', '-q', 'kestrel', '--', id]),
    ]);
    expect([json.code, json.stderr, text.code, text.stderr]).toEqual([0, '', 0, '']);
    expect((JSON.parse(json.stdout) as Why).causes).toMatchObject([{ cause: 'not_indexed' }]);
    expect(text.stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2066]/u);
  });

  it.each([
    [1, 'no index', ['why', 'a.md', '-q', 'x', '--index', '/nowhere/i.sqlite'], /pith index/],
    [
      1,
      'a bound of another tool',
      ['why', 'a.md', '-q', 'x', '--tool', 'kb.retrieve_evidence', '--top-k', '3'],
      /top_k/,
    ],
    [1, 'an invalid id', ['why', 'a.md', '--id', '../x'], /UUID/],
    [2, 'an unknown tool', ['why', 'a.md', '-q', 'x', '--tool', 'kb.delete'], /kb\.search/],
    [2, 'too long a list', ['why', 'a.md', '-q', 'x', '--top-k', '51'], /1 to 50/],
    [2, 'no section', ['why'], /section_id/],
  ])('ends with %i for %s, and gives a next step', async (code, _, args, words) => {
    const run = await diagnostics(birds, args);
    expect(run).toMatchObject({ code, stdout: '' });
    expect(run.stderr).toMatch(words);
    expect(run.stderr).not.toMatch(/\n\s+at .*:\d+/);
  });
});

describe('pith diagnostics replay', () => {
  const replay = async (record: DiagnosticRecord | undefined, ...args: readonly string[]) => {
    const run = await diagnostics(birds, ['replay', record?.diagnostic_id ?? '', ...args]);
    return { ...run, json: (): unknown => JSON.parse(run.stdout) };
  };

  it('finds no difference on the same index, for each tool, with and without texts', async () => {
    const asked = [
      ['kb.search', { query: 'kestrel lantern', keywords: ['nest'], page_size: 2 }],
      [
        'kb.retrieve_evidence',
        { question: 'Where does a kestrel nest?', parts: ['kestrel nest', 'lantern keeper'] },
      ],
      ['search_docs', { query: 'harbour gate', limit: 3 }],
      ['search_sections', { query: 'harbour gate', page_size: 7 }],
    ] as const;
    const given = [['-k', 'nest'], ['--part', 'kestrel nest', '--part', 'lantern keeper'], [], []];
    const [stored, hashed] = await Promise.all(
      [TEXTS, {}].map((env) => diagnosed({ index: birds, dir, env }, ...asked)),
    );
    for (const [i, [tool, args]] of asked.entries()) {
      const text = Object.values(args)[0] as string;
      const same = { tool, is_same: true, is_same_query: true, missing: [], settings: {} };
      expect((await replay(stored?.[i], '--json')).json()).toMatchObject(same);
      expect((await replay(hashed?.[i], '--json', '-q', text, ...(given[i] ?? []))).json()).toMatchObject(
        same,
      );
    }
  });

  it.each(['kb.search', 'search_sections'])('repeats the requested page of %s', async (tool) => {
    const asked = { query: 'harbour gate', top_k: 10, page_size: 3 };
    const next = ({ next_cursor }: Record<string, unknown>) => ({ ...asked, cursor: next_cursor });
    const client = { index: birds, dir, env: TEXTS };
    const [, , third] = await diagnosed(client, [tool, asked], [tool, next], [tool, next]);
    expect(third?.results.map(({ rank }) => rank)).toEqual([7, 8, 9]);
    expect((await replay(third, '--json')).json()).toMatchObject({ is_same: true });
  });

  it('reports arguments that differ or are missing', async () => {
    const asked = { query: 'kestrel', keywords: ['nest'], filters: { doc_tag: ['birds'] } };
    const [record] = await diagnosed({ index: birds, dir }, ['kb.search', asked]);
    const { code, stdout } = await replay(record, '-q', 'Kestrel');
    expect(code).toBe(0);
    expect(stdout).toContain('This query is NOT the recorded one');
    expect(stdout).toMatch(/Omitted because their texts were not stored: keywords, filters\.doc_tag\./);
    const without = await replay(record);
    expect(without).toMatchObject({ code: 1, stdout: '' });
    expect(without.stderr).toMatch(/was not stored\.\n.*--query: it had 7 characters/);
  });

  it('shows the effect of a changed document', async () => {
    const changing = mkdtempSync(folder.file('changing-'));
    const index = `${changing}.sqlite`;
    writeFiles(changing, BIRDS);
    await pithIndex(changing, index);
    const asked = { query: 'kestrel lantern', options: { max_per_doc: 1 } };
    const [record] = await diagnosed({ index, dir, env: TEXTS }, ['kb.search', asked]);
    writeFiles(changing, {
      'kestrel.md': '# Owl\n\nAn owl sleeps.\n',
      'new.md': '# Kestrel\n\nA kestrel by the lantern.\n',
    });
    await pithIndex(changing, index);
    const id = record?.diagnostic_id ?? '';
    const json = await diagnostics(index, ['replay', id, '--json']);
    const difference: Record<string, unknown> = JSON.parse(json.stdout);
    expect(difference).toMatchObject({
      is_same: false,
      // The changed page is still found, by its name.
      gained: [
        { section_id: 'new.md', rank: 1, then: null },
        { section_id: 'kestrel.md', rank: 3, then: null },
      ],
      lost: [{ section_id: expect.stringMatching(/^kestrel\.md#/), now: null }],
    });
    const { then, now } = difference['generation'] as { then: string; now: string };
    expect(then).toBe(record?.generation);
    expect(now).not.toBe(then);
    const { stdout } = await diagnostics(index, ['replay', id]);
    expect(stdout).toMatch(/Index: .* → .*\nGained \(2\):\n {2}new\.md {2}now rank 1.*\n.*\nLost \(1\):/);
  });

  it('repeats failed calls only if their arguments were stored, and reports if they still fail', async () => {
    const asked = ['search_docs', { query: 'kestrel', version: '7' }] as const;
    const [hashed] = await diagnosed({ index: birds, dir }, asked);
    const [stored] = await diagnosed({ index: birds, dir, env: TEXTS }, asked);
    expect((await replay(hashed, '-q', 'kestrel')).stderr).toMatch(
      /has no stored arguments\.\n.*STORE_QUERY_TEXT/,
    );
    const { json } = await replay(stored, '--json');
    expect(stored?.error).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(json()).toMatchObject({ is_same: true, error: null });
  });

  it('restricts the scope of the record to the configured one', async () => {
    const [record] = await diagnosed({ index: birds, dir, env: TEXTS }, [
      'kb.search',
      { query: 'kestrel lantern', options: { max_per_doc: 1 } },
    ]);
    const env = { PITH_DOC_TAGS: 'copies' };
    const { stdout } = await diagnostics(birds, ['replay', record?.diagnostic_id ?? '', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ lost: [{ now: null }], gained: [] });
  });

  it.each<[string, DiagnosticParts, RegExp]>([
    ['another project', { tool: 'kb.search' }, /is for project project .*birds[\s\S]*--index/],
    ['a tool that is not run again', { tool: 'kb.extract_evidence' }, /can't be run again[\s\S]*kb\.search/],
    [
      'arguments of another version',
      { scope: { project_id: 'birds', environment: 'prod' }, request: { query: 'x', colour: 'red' } },
      /invalid arguments.*colour[\s\S]*another Pith version/,
    ],
  ])('refuses a record of %s', async (_, parts, words) => {
    const diagnostic_id = '00000000-0000-4000-8000-000000000009';
    const own = mkdtempSync(folder.file('odd '));
    const writer = new DiagnosticWriter({ folder: own, onFailure: (error) => expect(error).toBeNull() });
    writer.write(aDiagnosticRecord({ diagnostic_id, ...parts }));
    await writer.flush();
    const run = await runPith([
      'diagnostics',
      'replay',
      diagnostic_id,
      '-q',
      'x',
      '--dir',
      own,
      '--index',
      birds,
    ]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(words);
  });
});

describe('on a larger corpus', () => {
  const corpus = folder.file('some');
  const made = folder.file('made');
  const source = corpusFolder('powershell', made);
  copyShare(source, corpus, 2);
  const queries = drawQueries(corpus, 4, 11).filter((query) => query !== 'nothing');
  // The generated corpus has no sentences with a meaning: its words are asked for.
  const question = source === made ? queries.join(' ') : 'Which parameters does the command take?';

  beforeAll(() => buildIndex(corpus, large), 180_000);

  /** Records a call of a tool in this process. */
  async function ask(run: Pick<ToolRun, 'tool' | 'request'>, env: Record<string, string> = {}) {
    const config = parseConfig({ PITH_INDEX: large, ...env });
    const session = await openInProcess(config, { isDebug: true });
    const scope = await session.scope();
    const asked = { ...run, offset: 0 };
    const { facts, ran } = await lookForSection('nowhere.md', asked, { session, config });
    const lossOf = async (sectionId: string) => {
      const [stored = null] = (await session.index.sections(scope, [sectionId])).sections;
      const terms = { asked: facts.terms.asked, held: facts.terms.asked };
      return whyMissing({ ...facts, sectionId, stored, terms })[0];
    };
    return { facts, record: ran.record, lossOf, close: session.close };
  }

  it('gives every section the fate in the record of the call', async () => {
    const told = new Map<string, number>();
    const runs = queries.flatMap(
      (query) =>
        [
          [{ tool: 'kb.search', request: { query, top_k: 50, page_size: 50 } }],
          [{ tool: 'kb.search', request: { query, page_size: 2, options: { max_per_doc: 2 } } }],
          [{ tool: 'kb.retrieve_evidence', request: { question: query } }],
          [{ tool: 'kb.retrieve_evidence', request: { question: query, parts: [query, question] } }],
          [{ tool: 'kb.retrieve_evidence', request: { question: query } }, { MAX_RESPONSE_BYTES: '3000' }],
          [{ tool: 'search_docs', request: { query } }],
          [{ tool: 'search_sections', request: { query } }],
        ] as const,
    );
    for (const [run, env] of runs) {
      const { record, lossOf, close } = await ask(run, env);
      const dropped = (record.pre_dedupe ?? []).filter(({ fate }) => fate !== 'returned');
      const isApart = record.request?.['parts'] === undefined;
      const fates = [
        ...record.results.map(({ chunk_id }) => ({ chunk_id, fate: 'returned' })),
        ...record.left_out,
        // One part of a question can drop a section that another part lists.
        ...(isApart ? dropped.filter(({ fate }) => fate !== 'below_list') : []),
      ];
      for (const { chunk_id, fate } of fates) {
        const loss = await lossOf(chunk_id);
        expect([run.tool, chunk_id, loss?.cause]).toEqual([run.tool, chunk_id, fate]);
        told.set(fate, (told.get(fate) ?? 0) + 1);
      }
      await close();
    }
    for (const fate of ['returned', 'same_document', 'below_list', 'other_page', 'no_quote', 'budget'])
      expect([fate, (told.get(fate) ?? 0) > 0]).toEqual([fate, true]);
  }, 180_000);

  it('finds sections without a quote or over the budget in calls to a server', async () => {
    const [listed, quoted] = await diagnosed(
      { index: large, dir, env: TEXTS },
      ['kb.search', { query: question, top_k: 50, page_size: 50, options: { max_snippet_chars: 600 } }],
      ['kb.retrieve_evidence', { question }],
    );
    // The last one: which section is the first that does not fit depends on the tokens of random ids.
    const over = listed?.left_out.filter(({ fate }) => fate === 'budget').at(-1);
    const unquoted = quoted?.left_out.find(({ fate }) => fate === 'no_quote');
    const [first, second] = await Promise.all([
      causeOf(large, [over?.chunk_id ?? '', '--id', listed?.diagnostic_id ?? '']),
      causeOf(large, [unquoted?.chunk_id ?? '', '--id', quoted?.diagnostic_id ?? '']),
    ]);
    expect(first).toMatchObject({ cause: 'budget', rank: over?.rank });
    expect(second).toMatchObject({ cause: 'no_quote', rank: unquoted?.rank });
  });

  it('returns the lexical rank of a section that ranks too low to be compared', async () => {
    const { facts, close } = await ask({ tool: 'kb.search', request: { query: question } });
    const hits = facts.retrieval.answers[0]?.hits ?? [];
    const far = hits.find((hit, i) => i > 200 && hit.vector === null && hit.fate === 'below_list');
    await close();
    const cause = await causeOf(large, [far?.sectionId ?? '', '-q', question, '--tool', 'kb.search']);
    expect(cause).toMatchObject({ cause: 'not_compared', of: hits.length });
    expect(cause?.rank).toBeGreaterThan(80);
  });

  it('finds no difference on the same index', async () => {
    const asked = queries
      .slice(0, 2)
      .flatMap((query) => [
        ['kb.search', { query, top_k: 10 }] as const,
        ['kb.retrieve_evidence', { question: query }] as const,
      ]);
    const records = await diagnosed({ index: large, dir, env: TEXTS }, ...asked);
    const runs = await Promise.all(
      records.map(({ diagnostic_id }) => diagnostics(large, ['replay', diagnostic_id, '--json'])),
    );
    for (const { stdout } of runs) expect(JSON.parse(stdout)).toMatchObject({ is_same: true });
    expect(records.map(({ results }) => results.length)).not.toContain(0);
  });
});

describe('the fixtures', () => {
  it('get the expected explanations', async () => {
    const index = folder.file('fixtures.sqlite');
    await pithIndex(FIXTURE_CORPUS, index);
    const question = 'When does a ship leave the waiting list?';
    const section = 'guides/waiting-list.mdx#leaving-the-list';
    const { stdout } = await diagnostics(index, ['why', section, '-q', question]);
    expect(stdout).toMatch(
      /^guides\/waiting-list\.mdx.* is returned by kb\.retrieve_evidence\.\n\n1\. It is returned, at rank /,
    );
    expect(stdout).toMatch(/Query words: \d+; found in the section: ship, .*waiting/);
  });
});
