import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiagnosticArchive } from '../../../../src/diagnostics/archive/diagnostic-archive.js';
import type { DiagnosticFilter } from '../../../../src/diagnostics/archive/diagnostic-filter.js';
import { pageName } from '../../../../src/diagnostics/archive/diagnostic-paths.js';
import { dayOf, type DiagnosticRecord } from '../../../../src/diagnostics/record/diagnostic-record.js';
import { renderDiagnostic } from '../../../../src/diagnostics/report/render-diagnostic.js';
import { aDiagnosticRecord, type DiagnosticParts } from '../../../support/a-diagnostic.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const FIRST = '2026-01-01';
const SECOND = '2026-01-02';
const LINES = 'retrieval_diagnostics.jsonl';

let folder: TestFolder;

beforeEach(() => (folder = testFolder()));
afterEach(() => folder.remove());

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const numberOf = ({ diagnostic_id }: DiagnosticRecord): number => Number(diagnostic_id.slice(-12));
const on = (day: string, n: number, parts: DiagnosticParts = {}): DiagnosticRecord =>
  aDiagnosticRecord({ diagnostic_id: idOf(n), timestamp: `${day}T12:00:00.000Z`, ...parts });
const archive = (options = {}): DiagnosticArchive => new DiagnosticArchive(folder.path, options);

function append(day: string, text: string): void {
  mkdirSync(folder.file(day), { recursive: true });
  appendFileSync(join(folder.path, day, LINES), text);
}

function store(...records: readonly DiagnosticRecord[]): void {
  for (const record of records) append(dayOf(record), `${JSON.stringify(record)}\n`);
}

describe('DiagnosticArchive.list', () => {
  it('lists records within the scope of the reader', async () => {
    const own = { project_id: 'harbour', environment: 'prod', doc_tag: 'guides', repositories: null };
    const scope = { projectId: 'harbour', environment: 'prod', docTags: ['guides'], repositories: null };
    store(
      on(FIRST, 1, { scope: own }),
      on(FIRST, 2, { scope: { ...own, project_id: 'other' } }),
      on(FIRST, 3, { scope: { ...own, doc_tag: null } }),
      on(FIRST, 4, { scope: { ...own, project_id: '', environment: '', doc_tag: null } }),
    );
    const { records } = await archive().list({ scope }, { limit: 10 });
    expect(records.map(numberOf)).toEqual([4, 1]);
  });

  it('lists records over several days, the last written first', async () => {
    store(on(FIRST, 1), on(FIRST, 2), on(SECOND, 3), on(SECOND, 4));
    const { records, ...rest } = await archive().list({}, { limit: 10 });
    expect(records.map(numberOf)).toEqual([4, 3, 2, 1]);
    expect(rest).toEqual({ next: null, isComplete: true, skipped: 0 });
  });

  it('lists nothing if the folder does not exist', async () => {
    const none = new DiagnosticArchive(folder.file('none'));
    const page = { records: [], next: null, isComplete: true, skipped: 0 };
    expect(await none.list({}, { limit: 10 })).toEqual(page);
  });

  it('continues after a cursor, even if records were written in between', async () => {
    store(on(FIRST, 1), on(FIRST, 2), on(SECOND, 3), on(SECOND, 4));
    const first = await archive().list({}, { limit: 1 });
    store(on(SECOND, 5), on('2026-01-03', 6));
    const second = await archive().list({}, { limit: 2, before: first.next ?? '' });
    const third = await archive().list({}, { limit: 2, before: second.next ?? '' });
    expect([first, second, third].map(({ records }) => records.map(numberOf))).toEqual([[4], [3, 2], [1]]);
    expect(third.next).toBeNull();
  });

  it('has no next page after the oldest record', async () => {
    store(on(FIRST, 1));
    expect(await archive().list({}, { limit: 1 })).toMatchObject({ next: null, isComplete: true });
  });

  it.each(['', 'x', '!', Buffer.from('2026-01-01.-1').toString('base64url')])(
    'refuses the cursor %j',
    async (before) => {
      await expect(archive().list({}, { limit: 1, before })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        reason: 'cursor_invalid',
      });
    },
  );

  it('reads nothing outside its folder for a forged cursor', async () => {
    store(on(FIRST, 1));
    const before = Buffer.from('../../../etc.9').toString('base64url');
    await expect(archive().list({}, { limit: 1, before })).rejects.toMatchObject({
      reason: 'cursor_invalid',
    });
  });

  it('skips and counts torn and foreign lines', async () => {
    store(on(FIRST, 1));
    append(FIRST, `{"torn":\n\n    \n{"schema_version":2}\nnonsense\n`);
    store(on(FIRST, 2));
    append(FIRST, JSON.stringify(on(FIRST, 3)));
    const { records, skipped } = await archive().list({}, { limit: 10 });
    expect(records.map(numberOf)).toEqual([2, 1]);
    expect(skipped).toBe(3);
  });

  it('stops at the byte limit, reports it, and continues from there', async () => {
    store(...Array.from({ length: 400 }, (_, i) => on(FIRST, i)));
    const small = archive({ maxBytes: 1 });
    const first = await small.list({ tool: 'none' }, { limit: 10 });
    expect(first).toMatchObject({ records: [], isComplete: false });
    const seen: number[] = [];
    let before: string | null | undefined;
    while (before !== null) {
      const page = await small.list({}, { limit: 500, before });
      seen.push(...page.records.map(numberOf));
      before = page.next;
    }
    expect(seen).toEqual(Array.from({ length: 400 }, (_, i) => 399 - i));
  });

  it('does not follow links', async () => {
    store(on(FIRST, 1));
    const inner = new DiagnosticArchive(folder.file('inner'));
    mkdirSync(folder.file(`inner/${SECOND}`), { recursive: true });
    symlinkSync(folder.file(FIRST), folder.file(`inner/${FIRST}`));
    symlinkSync(folder.file(`${FIRST}/${LINES}`), folder.file(`inner/${SECOND}/${LINES}`));
    expect((await inner.list({}, { limit: 10 })).records).toEqual([]);
    expect(await inner.find(idOf(1), FIRST)).toBeNull();
    expect(await inner.find(idOf(1))).toBeNull();
  });

  const ERROR = { code: 'TIMEOUT', reason: 'deadline', message: null };
  it.each<[DiagnosticFilter, DiagnosticParts]>([
    [{ tool: 'kb.retrieve_evidence' }, { tool: 'kb.retrieve_evidence' }],
    [{ since: '2026-01-01T12:00:00.001Z' }, { timestamp: '2026-01-01T12:00:00.001Z' }],
    [{ until: '2026-01-01T12:00:00Z' }, { timestamp: '2026-01-01T11:59:59.999Z' }],
    [{ outcome: 'error' }, { error: ERROR }],
    [{ errorCode: 'TIMEOUT' }, { error: ERROR }],
    [{ isDegraded: true }, { degraded: ['graph'] }],
    [{ isPartial: true }, { budgets: { partial: true } }],
    [{ minTotalMs: 10 }, { timing_ms: { total: 10 } }],
    [{ sessionId: 's' }, { session_id: 's' }],
    [{ principal: 'p' }, { principal: 'p' }],
    [{ answerable: 'likely' }, { answerable: { verdict: 'likely', confidence: 0.9 } }],
  ])('lists only records that match %j', async (filter, parts) => {
    store(on(FIRST, 1), on(FIRST, 2, parts));
    expect((await archive().list(filter, { limit: 10 })).records.map(numberOf)).toEqual([2]);
  });

  it('lists successful, complete records that are not degraded', async () => {
    store(on(FIRST, 1), on(FIRST, 2, { error: ERROR }));
    const filter = { outcome: 'ok', isDegraded: false, isPartial: false } as const;
    expect((await archive().list(filter, { limit: 10 })).records.map(numberOf)).toEqual([1]);
  });

  it('does not read days outside the time range', async () => {
    append(SECOND, 'nonsense\n');
    store(on(FIRST, 1));
    const { records, skipped } = await archive().list({ until: `${FIRST}T23:00:00Z` }, { limit: 10 });
    expect([records.length, skipped]).toEqual([1, 0]);
  });
});

describe('DiagnosticArchive.find', () => {
  it('finds a record whose id is also in the text of other records', async () => {
    const naming = { request: { query: 'x', diagnostic_id: idOf(1) } };
    store(on(FIRST, 1), on(FIRST, 2, naming), on(FIRST, 3, naming));
    expect(await archive().find(idOf(1))).toEqual(on(FIRST, 1));
  });

  it('skips a line that is nested too deep', async () => {
    const line = JSON.stringify(on(FIRST, 1, { request: { a: 1 } }));
    append(FIRST, `${line.replace('{"a":1}', `{"a":${'['.repeat(9)}${']'.repeat(9)}}`)}\n`);
    expect(await archive().find(idOf(1))).toBeNull();
  });

  it('finds a record with and without its day', async () => {
    store(on(FIRST, 1), on(SECOND, 2));
    expect(await archive().find(idOf(1))).toEqual(on(FIRST, 1));
    expect(await archive().find(idOf(1), FIRST)).toEqual(on(FIRST, 1));
    expect(await archive().find(idOf(1), SECOND)).toBeNull();
    expect(await archive().find(idOf(3))).toBeNull();
  });

  it.each([
    ['../2026-01-01', undefined],
    ['', undefined],
    [idOf(1), '..'],
    [idOf(1), '2026-01-01/../2026-01-01'],
    [idOf(1), ''],
  ])('is null for the id %j on the day %j', async (id, day) => {
    store(on(FIRST, 1));
    expect(await archive().find(id, day)).toBeNull();
    expect(await archive().markdown(id, day)).toBeNull();
  });
});

describe('DiagnosticArchive.markdown', () => {
  const page = (n: number): string => folder.file(`${FIRST}/${pageName(idOf(n))}`);

  it('reads the page', async () => {
    store(on(FIRST, 1));
    writeFileSync(page(1), '# A page\n');
    expect(await archive().markdown(idOf(1))).toBe('# A page\n');
    expect(await archive().markdown(idOf(1), FIRST)).toBe('# A page\n');
  });

  it('renders the page if it is missing or empty', async () => {
    store(on(FIRST, 1), on(FIRST, 2));
    writeFileSync(page(2), '');
    expect(await archive().markdown(idOf(1))).toBe(renderDiagnostic(on(FIRST, 1)));
    expect(await archive().markdown(idOf(2), FIRST)).toBe(renderDiagnostic(on(FIRST, 2)));
  });

  it('does not read a page through a link', async () => {
    writeFileSync(folder.file('secret'), 'secret');
    mkdirSync(folder.file(FIRST));
    symlinkSync(folder.file('secret'), page(1));
    expect(await archive().markdown(idOf(1), FIRST)).toBeNull();
  });
});

describe('DiagnosticArchive.follow', () => {
  const stop = new AbortController();
  afterAll(() => stop.abort());

  /** The numbers of the next records, after doing something each time. */
  async function next(
    news: AsyncIterator<DiagnosticRecord>,
    ...steps: readonly (() => void)[]
  ): Promise<number[]> {
    const seen: number[] = [];
    for (const step of steps) {
      const coming = news.next();
      step();
      const { value } = await coming;
      seen.push(numberOf(value));
    }
    return seen;
  }

  async function following(): Promise<AsyncIterator<DiagnosticRecord>> {
    const news = archive({ pollMs: 1 }).follow(stop.signal)[Symbol.asyncIterator]();
    // The first record shows that following has begun.
    const first = news.next();
    const timer = setInterval(() => store(on(FIRST, 0)), 1);
    await first;
    clearInterval(timer);
    return news;
  }

  const past = async (news: AsyncIterator<DiagnosticRecord>, n: number): Promise<void> => {
    store(on(FIRST, n));
    for (let seen = 0; seen !== n;) seen = numberOf((await news.next()).value);
  };

  it('yields only new records, continues after midnight, and includes late records of the day before', async () => {
    store(on(FIRST, 99));
    const news = await following();
    await past(news, 1);
    const seen = await next(
      news,
      () => store(on(FIRST, 2)),
      () => store(on(SECOND, 3)),
      () => store(on(FIRST, 4)),
    );
    expect(seen).toEqual([2, 3, 4]);
  });

  it('waits for the rest of a line, and skips lines that are not records', async () => {
    const news = await following();
    await past(news, 1);
    const line = JSON.stringify(on(FIRST, 2));
    append(FIRST, `nonsense\n${line.slice(0, 100)}`);
    expect(await next(news, () => append(FIRST, `${line.slice(100)}\n`))).toEqual([2]);
  });

  it('reads a replaced file from its start', async () => {
    const news = await following();
    await past(news, 1);
    rmSync(folder.file(`${FIRST}/${LINES}`));
    expect(await next(news, () => store(on(FIRST, 2)))).toEqual([2]);
  });

  it('ends when the signal fires', async () => {
    const controller = new AbortController();
    const news = archive({ pollMs: 60_000 }).follow(controller.signal)[Symbol.asyncIterator]();
    const coming = news.next();
    controller.abort();
    expect(await coming).toEqual({ done: true, value: undefined });
  });
});
