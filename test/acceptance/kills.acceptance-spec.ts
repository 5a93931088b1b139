import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../src/sqlite/reader-ports.js';
import { testFolder } from '../support/build-index.js';
import { type IndexState, inspectIndex } from '../support/check-index.js';
import { copyBeginnings, copyCorpus, corpusFolder, generateCorpus, randomFrom } from '../support/corpora.js';
import { aQuery, SETTINGS } from '../support/indexed-documents.js';
import { countsOf, type PithRun, type RunCounts, runPith } from '../support/run-pith.js';

/** Fixed, so that a failure can be repeated. KILL_SEED=… tries other moments. */
const SEED = Number(process.env['KILL_SEED'] ?? 20_260_101);
const KILLS = 20;
/** Sections per staged batch. One batch may still be in writing while files of the next are counted. */
const BATCH_SECTIONS = 500;
/** A run may be faster than the first one, if the machine was busy then. */
const ATTEMPTS = 4;
/** The project in the queries of these tests. */
const AS_PROJECT = ['--project', SETTINGS.projectId];

const folder = testFolder();

afterAll(() => folder.remove());

/** Kills a process with SIGKILL after some milliseconds, unless it has ended. */
const killAfter =
  (ms: number) =>
  (child: ChildProcess): void => {
    const timer = setTimeout(() => child.kill('SIGKILL'), ms);
    child.once('exit', () => clearTimeout(timer));
  };

/** Kills a process with SIGKILL when it reports a number of processed files. */
const killOnceThrough =
  (files: number) =>
  (child: ChildProcess): void => {
    let told = '';
    child.stderr?.on('data', (data: Buffer) => {
      told += data.toString();
      if (filesIn(told) >= files) child.kill('SIGKILL');
    });
  };

/** Random moments, one in each of `count` equal parts of a run, as shares of its time. */
function momentsOf(count: number): number[] {
  const random = randomFrom(SEED);
  return Array.from({ length: count }, (_, i) => (i + random()) / count);
}

/** The last reported number of processed files. */
function filesIn(stderr: string): number {
  return Number([...stderr.matchAll(/indexing: (\d+) of/g)].at(-1)?.[1] ?? 0);
}

async function candidatesFor(index: string, words: string): Promise<number> {
  const reader = makePort('sections', new SqliteReader(index, embedderNamed('lsa')));
  try {
    return (await reader.search(aQuery(words))).candidates.length;
  } finally {
    await reader.close();
  }
}

async function reasonOf(index: string): Promise<unknown> {
  const reader = makePort('sections', new SqliteReader(index, embedderNamed('lsa')));
  try {
    return await reader.stamp().then(
      () => null,
      (error: { reason?: string }) => error.reason,
    );
  } finally {
    await reader.close();
  }
}

interface Attempt {
  readonly index: string;
  readonly killed: PithRun;
}

interface Kill {
  readonly killed: PithRun;
  /** Reported number of processed files. */
  readonly through: number;
  readonly state: IndexState | null;
  /** Why the index can't be read after the kill; null if it can. */
  readonly reason: unknown;
  readonly next: PithRun;
  readonly counts: RunCounts;
  readonly completed: IndexState | null;
  readonly found: number;
}

describe('kill -9 at 20 random moments of a first index run', () => {
  // Only the beginnings of the pages, because each kill indexes all of them twice.
  const corpus = folder.file('beginnings');
  let whole: PithRun;
  let expected: RunCounts;
  const kills: Kill[] = [];
  let fastest: number;

  const attempt = async (name: string, onStart: (child: ChildProcess) => void): Promise<Attempt> => {
    const index = join(folder.path, name, 'index.sqlite');
    return { index, killed: await runPith(['index', corpus, '--index', index, ...AS_PROJECT], { onStart }) };
  };

  /** Kills at a share of the duration of a run. If the run ends first, updates the duration and tries again. */
  async function killAt(moment: number, name: string): Promise<Attempt> {
    for (let tries = 1; ; tries++) {
      const made = await attempt(`${name}-${tries}`, killAfter(moment * fastest * 1_000));
      if (made.killed.signal === 'SIGKILL' || tries === ATTEMPTS) return made;
      fastest = Math.min(fastest, made.killed.seconds);
    }
  }

  async function lookAfter({ index, killed }: Attempt): Promise<Kill> {
    const reason = await reasonOf(index);
    const state = inspectIndex(index);
    const next = await runPith(['index', corpus, '--index', index, ...AS_PROJECT]);
    const completed = inspectIndex(index);
    const found = await candidatesFor(index, 'file');
    return {
      killed,
      through: filesIn(killed.stderr),
      state,
      reason,
      next,
      counts: countsOf(next),
      completed,
      found,
    };
  }

  beforeAll(async () => {
    copyBeginnings(corpusFolder('powershell', folder.file('corpus')), corpus, 350);
    whole = await runPith(['index', corpus, '--index', folder.file('whole.sqlite'), ...AS_PROJECT]);
    expected = countsOf(whole);
    fastest = whole.seconds;
    const moments = momentsOf(KILLS);
    // Two at a time, because the smallest machine for these tests has two cores.
    const lanes = [moments.filter((_, i) => i % 2 === 0), moments.filter((_, i) => i % 2 === 1)];
    await Promise.all(
      lanes.map(async (lane, number) => {
        for (const moment of lane)
          kills.push(await lookAfter(await killAt(moment, `first-${number}-${moment}`)));
      }),
    );
    const killed = kills.filter((kill) => kill.killed.signal === 'SIGKILL').length;
    const late = kills.filter(({ counts }) => counts.resumed > 0).length;
    console.log(
      `${killed} of ${KILLS} runs killed within ${fastest.toFixed(1)} s (seed ${SEED}); ${late} resumed`,
    );
  }, 400_000);

  it('kills most runs before they end', () => {
    const killed = kills.filter((kill) => kill.killed.signal === 'SIGKILL');
    expect(killed.length).toBeGreaterThanOrEqual(KILLS * 0.8);
  });

  it('leaves an index that opens, or no index', () => {
    const reasons = kills.filter(({ state }) => state === null).map(({ reason }) => reason);
    const opened = kills.filter(({ state }) => state !== null).map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(['index_missing']));
    expect(opened.filter((reason) => reason !== null)).toEqual([]);
  });

  it('leaves a complete generation or none', () => {
    const states = kills.flatMap(({ state }) => state ?? []);
    const { documents, sections } = expected;
    const wholeState = { documents, sections, indexed: sections, integrity: 'ok' };
    const orphans = { documentsWithoutSections: 0, sectionsWithoutDocument: 0 };
    expect(states).toEqual(states.map(() => ({ ...wholeState, ...orphans })));
  });

  it('is completed by the next run', () => {
    expect(kills.map(({ next }) => next.code)).toEqual(kills.map(() => whole.code));
    expect(kills.map(({ completed }) => completed)).toEqual(
      kills.map(() => inspectIndex(folder.file('whole.sqlite'))),
    );
    expect(kills.filter(({ found }) => found === 0)).toEqual([]);
  });

  it('parses only the missing files in the next run', () => {
    const accounted = kills.map(({ counts }) => counts.parsed + counts.resumed + counts.unchanged);
    expect(accounted).toEqual(kills.map(() => expected.documents));
  });

  it('loses at most the last two batches of a run', async () => {
    const most = 2 * Math.ceil(BATCH_SECTIONS / (expected.sections / expected.documents));
    for (const share of [0.5, 0.8]) {
      const files = share * expected.documents;
      kills.push(await lookAfter(await attempt(`through-${share}`, killOnceThrough(files))));
    }
    const [half, late] = kills.slice(-2).map(({ through }) => through / expected.documents);
    expect(half).toBeGreaterThanOrEqual(0.5);
    expect(late).toBeGreaterThanOrEqual(0.8);
    const kept = kills.map(({ counts }) => counts.resumed + counts.unchanged);
    expect(kept.at(-1)).toBeGreaterThan(0);
    const lost = kills.map(({ through }, i) => through - (kept[i] ?? 0));
    expect(Math.max(...lost)).toBeLessThan(most);
    console.log(`at most ${Math.max(...lost)} files lost, of ${most} that two batches hold`);
  }, 60_000);

  it('parses nothing in the run after that', async () => {
    const again = await runPith(['index', corpus, '--index', folder.file('whole.sqlite'), ...AS_PROJECT]);
    expect(countsOf(again)).toEqual({ ...expected, parsed: 0, unchanged: expected.documents });
  }, 60_000);
});

describe('kill -9 while a changed folder is indexed again', () => {
  const original = folder.file('original');
  const changed = folder.file('changed');
  const generations = ['markerold', 'markernew'];

  function mark(corpus: string, marker: string): void {
    for (const name of readdirSync(corpus, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.md')) continue;
      const text = readFileSync(join(corpus, name), 'utf8');
      writeFileSync(join(corpus, name), text.replace(/^(## .*)$/gm, `$1 ${marker}`));
    }
  }

  /** The words of the generations in one answer, and the number of sections. */
  async function generationOf(reader: SectionIndex): Promise<string> {
    const { candidates, sectionCount } = await reader.search(aQuery(generations.join(' '), { limit: 1_000 }));
    const seen = generations.filter((word) => candidates.some(({ section }) => section.title.includes(word)));
    return `${seen.join('+')} ${sectionCount}`;
  }

  let base: RunCounts;
  let seconds: number;

  beforeAll(async () => {
    generateCorpus(original, { documents: 300, sectionsPerDocument: 8, sentences: 8 });
    copyCorpus(original, changed);
    mark(original, 'markerold');
    mark(changed, 'markernew');
    const run = await runPith(['index', original, '--index', folder.file('timing.sqlite'), ...AS_PROJECT]);
    base = countsOf(run);
    seconds = run.seconds;
  }, 60_000);

  it('gives readers complete answers of one generation, at every moment of a kill', async () => {
    const index = folder.file('again.sqlite');
    await runPith(['index', original, '--index', index, ...AS_PROJECT]);
    const reader = makePort('sections', new SqliteReader(index, embedderNamed('lsa')));
    const answers: string[] = [await generationOf(reader)];
    // A slow machine asks less often while one run lasts, so it watches more runs.
    const moments = momentsOf(6);
    for (let kills = 0; kills < moments.length || answers.length <= 50; kills++) {
      const moment = moments[kills % moments.length] ?? 0;
      const run = { isOver: false };
      const killed = runPith(['index', changed, '--index', index, ...AS_PROJECT], {
        onStart: (child) => void setTimeout(() => child.kill('SIGKILL'), moment * seconds * 1_200),
      }).finally(() => (run.isOver = true));
      while (!run.isOver) {
        answers.push(await generationOf(reader));
        await after(1);
      }
      await killed;
      answers.push(await generationOf(reader));
    }
    await reader.close();
    const { sections } = base;
    expect(answers[0]).toBe(`markerold ${sections}`);
    expect(answers.length).toBeGreaterThan(50);
    expect(answers.filter((a) => !generations.map((word) => `${word} ${sections}`).includes(a))).toEqual([]);
    expect(inspectIndex(index)).toMatchObject({ integrity: 'ok', sections, indexed: sections });
  }, 180_000);

  it('lets the next run publish the change', async () => {
    const index = folder.file('again.sqlite');
    const run = await runPith(['index', changed, '--index', index, ...AS_PROJECT]);
    const reader = makePort('sections', new SqliteReader(index, embedderNamed('lsa')));
    expect(run.code).toBe(0);
    expect(await generationOf(reader)).toBe(`markernew ${base.sections}`);
    await reader.close();
  }, 30_000);
});
