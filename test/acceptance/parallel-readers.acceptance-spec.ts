import { Worker } from 'node:worker_threads';
import type { withCallSignal as withCallSignalSource } from '../../src/core/call-signal.js';
import type { SearchAnswer, SectionIndex } from '../../src/core/ports/section-index.port.js';
import type { makePort as makePortSource, TaskRunner } from '../../src/sqlite/reader-ports.js';
import { type EmbedderName, publish } from '../contract/sqlite-subjects.js';
import { testFolder } from '../support/build-index.js';
import { randomFrom } from '../support/corpora.js';
import { anIndexedDocument, aQuery } from '../support/indexed-documents.js';

interface Built {
  readonly makePort: typeof makePortSource;
  readonly withCallSignal: typeof withCallSignalSource;
  readonly ReaderThreads: new (file: string, embedder: EmbedderName, build: null, most: number) => TaskRunner;
}

// Threads load compiled JavaScript, so everything that they share is taken from there too.
/* eslint-disable @typescript-eslint/no-require-imports */
const { makePort, withCallSignal, ReaderThreads } = {
  ...require('../../dist/core/call-signal.js'),
  ...require('../../dist/sqlite/reader-ports.js'),
  ...require('../../dist/sqlite/reader-threads.js'),
} as Built;
/* eslint-enable @typescript-eslint/no-require-imports */

const WORDS = ['kestrel', 'meadow', 'owl', 'falcon', 'nest', 'egg', 'wing', 'river', 'storm', 'harbour'];
const file = testFolder().file('index.sqlite');
const queries = WORDS.flatMap((word, i) => WORDS.slice(i + 1).map((other) => aQuery(`${word} ${other}`)));

function documents() {
  const random = randomFrom(5);
  const word = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  const text = (): string => `The ${word()} saw a ${word()} near the ${word()} and the ${word()}.`;
  return Array.from({ length: 80 }, (_, i) =>
    anIndexedDocument({ path: `d${i}.md`, texts: Array.from({ length: 5 }, text) }),
  );
}

/** Answers without the times that they took. */
const withoutTimings = (answers: readonly SearchAnswer[]) =>
  answers.map((answer) => ({ ...answer, timings: undefined }));

async function askAll(index: SectionIndex): Promise<SearchAnswer[]> {
  return Promise.all([...queries, ...queries].map((query) => index.search(query)));
}

beforeAll(() => publish(file, documents()));

describe('ReaderThreads', () => {
  it.each([2, 4])('gives the answers of one thread on %d, to ninety questions at once', async (most) => {
    const one = makePort('sections', new ReaderThreads(file, 'lsa', null, 1));
    const several = makePort('sections', new ReaderThreads(file, 'lsa', null, most));
    try {
      const expected = withoutTimings(await askAll(one));
      expect(expected.every(({ candidates }) => candidates.length > 0)).toBe(true);
      expect(withoutTimings(await askAll(several))).toEqual(expected);
      // Now all threads are ready.
      expect(withoutTimings(await askAll(several))).toEqual(expected);
    } finally {
      await Promise.all([one.close(), several.close()]);
    }
  });

  it('gives the waiting tasks to a further thread when it is ready, not when the first one has time', async () => {
    const index = makePort('sections', new ReaderThreads(file, 'lsa', null, 2));
    // The first thread has all the tasks that it takes, and never answers.
    const post = jest.spyOn(Worker.prototype, 'postMessage').mockReturnValueOnce().mockReturnValueOnce();
    const lost = Promise.allSettled([index.search(aQuery('owl')), index.search(aQuery('egg'))]);
    try {
      expect((await index.search(aQuery('kestrel'))).candidates).not.toEqual([]);
    } finally {
      post.mockRestore();
      await index.close();
      await lost;
    }
  }, 10_000);

  it('forgets the waiting tasks of a cancelled call at once', async () => {
    const index = makePort('sections', new ReaderThreads(file, 'lsa', null, 1));
    const cancelled = new AbortController();
    const order: string[] = [];
    try {
      const kept = Promise.all(queries.map((query) => index.search(query))).then(() => order.push('kept'));
      const dropped = withCallSignal(cancelled.signal, () => queries.map((query) => index.search(query)));
      const settled = Promise.allSettled(dropped).then((all) => {
        order.push('dropped');
        return all;
      });
      cancelled.abort(new Error('cancelled'));
      const reasons = (await settled).map((one) =>
        one.status === 'rejected' ? String(one.reason) : 'answered',
      );
      expect(reasons.filter((reason) => reason === 'answered')).toEqual([]);
      await kept;
      expect(order).toEqual(['dropped', 'kept']);
    } finally {
      await index.close();
    }
  });

  it('goes on with one call in each turn of the event loop, also if several answers have come', async () => {
    const index = makePort('sections', new ReaderThreads(file, 'lsa', null, 2));
    let turn = 0;
    let isOver = false;
    const count = (): void => {
      turn++;
      if (!isOver) setImmediate(count);
    };
    /** Answers come while nobody can take them. */
    const hold = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    try {
      await askAll(index);
      count();
      const turns: number[] = [];
      const asked = queries.map(async (query) => {
        await index.search(query);
        turns.push(turn);
        hold();
      });
      hold();
      await Promise.all(asked);
      expect(turns).toHaveLength(queries.length);
      expect(new Set(turns).size).toBe(queries.length);
    } finally {
      isOver = true;
      await index.close();
    }
  });

  it('rejects a task of a call that is cancelled already', async () => {
    const index = makePort('sections', new ReaderThreads(file, 'lsa', null, 2));
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(withCallSignal(signal, () => index.search(aQuery('owl')))).rejects.toThrow('cancelled');
    await index.close();
  });
});
