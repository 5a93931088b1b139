import type { Ledger } from '../../src/governance/ledger/ledger.js';
import type { RecordedEvent } from '../../src/governance/ledger/ledger-event.js';
import type { LedgerLine, LedgerQuery, RunPage, RunQuery } from '../../src/governance/ledger/ledger-line.js';
import { anEnd, aStart, startsOf } from '../support/a-ledger.js';
import { aScope } from '../support/builders.js';

/** An empty ledger. */
export interface LedgerSubject {
  /** Opens the ledger, as one process does. */
  readonly open: () => Ledger;
  /** The time of lines that are appended from now on; ISO-8601. */
  readonly setTime: (time: string) => void;
  readonly remove: () => Promise<void>;
}

const DURABLE = { durable: true };
const BATCHED = { durable: false };
const FIRST: LedgerQuery = { from: 'oldest', limit: 1_000 };

const seqs = (lines: readonly LedgerLine[]): number[] => lines.map(({ seq }) => seq);

/** Names the calls of lines, and checkpoints. */
const calls = (lines: readonly LedgerLine[]): string[] =>
  lines.map(({ event }) => ('call_id' in event ? event.call_id : event.type));

/** The behaviour of every ledger. */
export function ledgerContract(name: string, make: () => Promise<LedgerSubject>): void {
  let subject: LedgerSubject;
  let ledger: Ledger;
  const opened: Ledger[] = [];
  const open = (): Ledger => {
    const one = subject.open();
    opened.push(one);
    return one;
  };
  beforeEach(async () => {
    subject = await make();
    ledger = open();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await subject.remove();
  });

  describe(`${name}: appending`, () => {
    it('is empty at first', async () => {
      await ledger.append([], DURABLE);
      expect(await ledger.head()).toBeNull();
      expect(await ledger.lines(FIRST)).toEqual([]);
    });

    it('returns events as they were appended, with their time, numbered from 1', async () => {
      subject.setTime('2026-01-02T03:04:05.678Z');
      await ledger.append([aStart(), anEnd()], DURABLE);
      expect(await ledger.lines(FIRST)).toMatchObject([
        { seq: 1, time: '2026-01-02T03:04:05.678Z', event: aStart(), previous: '' },
        { seq: 2, time: '2026-01-02T03:04:05.678Z', event: anEnd() },
      ]);
    });

    it('links each line to the one before', async () => {
      await ledger.append(startsOf(3), DURABLE);
      await ledger.append(startsOf(3), DURABLE);
      const lines = await ledger.lines(FIRST);
      expect(lines.map(({ previous }) => previous)).toEqual([
        '',
        ...lines.slice(0, 5).map(({ hash }) => hash),
      ]);
      expect(await ledger.head()).toEqual({ seq: 6, hash: lines[5]?.hash });
    });

    it('shows durable events to other processes when the promise resolves', async () => {
      await ledger.append([aStart()], DURABLE);
      expect(await open().head()).toMatchObject({ seq: 1 });
    });

    it('stores batched events within 100 ms', async () => {
      await ledger.append(startsOf(3), BATCHED);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(calls(await open().lines(FIRST))).toEqual(['call-1', 'call-2', 'call-3']);
    });

    it('keeps the order of batched and durable events', async () => {
      await ledger.append([aStart({ call_id: 'a' })], BATCHED);
      await ledger.append([aStart({ call_id: 'b' })], DURABLE);
      await ledger.append([aStart({ call_id: 'c' })], BATCHED);
      await ledger.flush();
      expect(calls(await ledger.lines(FIRST))).toEqual(['a', 'b', 'c']);
    });

    it('stores batched events when it is closed, and then takes none', async () => {
      await ledger.append(startsOf(2), BATCHED);
      await ledger.close();
      await expect(ledger.append([aStart()], DURABLE)).rejects.toMatchObject({ reason: 'ledger_closed' });
      expect(await open().head()).toMatchObject({ seq: 2 });
    });

    it('fails when it is used after it was closed', async () => {
      await ledger.append([aStart()], DURABLE);
      await ledger.close();
      const closed = { reason: 'ledger_closed' };
      await expect(ledger.head()).rejects.toMatchObject(closed);
      await expect(ledger.lines(FIRST)).rejects.toMatchObject(closed);
      await expect(ledger.verify()).rejects.toMatchObject(closed);
      await expect(ledger.removeBefore('2030-01-01T00:00:00.000Z')).rejects.toMatchObject(closed);
    });

    it('makes one chain of what several processes append at once', async () => {
      const writers = [ledger, open(), open(), open()];
      const appended = writers.flatMap((writer, w) =>
        Array.from({ length: 25 }, (_, i) =>
          writer.append([aStart({ call_id: `${w}-${i}` })], i % 2 === 0 ? DURABLE : BATCHED),
        ),
      );
      await Promise.all(appended);
      await Promise.all(writers.map((writer) => writer.flush()));
      const lines = await ledger.lines(FIRST);
      expect(new Set(calls(lines)).size).toBe(100);
      expect(seqs(lines)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
      expect(await ledger.verify()).toMatchObject({ isIntact: true, lines: 100 });
    });

    it.each([['\u0000'], ['\ud800'], ["'); DROP TABLE line; --"], ['"}],"x":[{"'], ['😀 e\u0301'], ['']])(
      'treats %j as text in every field',
      async (text) => {
        const event = aStart({ run_id: text, call_id: text, tool: text, principal: text, agent: text });
        await ledger.append([event], DURABLE);
        expect(await ledger.lines({ ...FIRST, runId: text })).toMatchObject([{ event }]);
        expect(await ledger.verify()).toMatchObject({ isIntact: true });
      },
    );
  });

  describe(`${name}: reading`, () => {
    beforeEach(async () => {
      await ledger.append(startsOf(3, { run_id: 'a' }), DURABLE);
      await ledger.append(startsOf(3, { run_id: 'b' }), DURABLE);
      await ledger.append([aStart({ run_id: 'a' }), aStart({ run_id: null })], DURABLE);
    });

    it.each<[string, Partial<LedgerQuery>, number[]]>([
      ['all lines', {}, [1, 2, 3, 4, 5, 6, 7, 8]],
      ['the first lines', { limit: 2 }, [1, 2]],
      ['the newest lines, oldest first', { from: 'newest', limit: 3 }, [6, 7, 8]],
      ['lines after a line', { after: 3, limit: 2 }, [4, 5]],
      ['the newest lines before a line', { before: 4, from: 'newest', limit: 2 }, [2, 3]],
      ['lines of a range', { after: 2, before: 6 }, [3, 4, 5]],
      ['lines of a run', { runId: 'a' }, [1, 2, 3, 7]],
      ['the newest lines of a run', { runId: 'a', from: 'newest', limit: 2 }, [3, 7]],
      ['lines of a run after a line', { runId: 'a', after: 2 }, [3, 7]],
      ['nothing of an unknown run', { runId: 'c' }, []],
      ['nothing after the last line', { after: 8 }, []],
    ])('returns %s', async (_, query, expected) => {
      expect(seqs(await ledger.lines({ ...FIRST, ...query }))).toEqual(expected);
    });

    it('returns at most 1,000 lines', async () => {
      await ledger.append(startsOf(1_200), DURABLE);
      expect(await ledger.lines({ from: 'oldest', limit: 5_000 })).toHaveLength(1_000);
    });
  });

  describe(`${name}: runs`, () => {
    const appendAt = async (time: string, ...events: RecordedEvent[]): Promise<void> => {
      subject.setTime(`2026-01-0${time}:00:00.000Z`);
      await ledger.append(events, DURABLE);
    };
    const of = (run_id: string, principal = 'anna') => ({
      run_id,
      principal,
      agent: `agent of ${principal}`,
    });
    const idsOf = ({ runs }: RunPage): string[] => runs.map(({ runId }) => runId);
    /** All pages. */
    const allIds = async (query: RunQuery): Promise<string[]> => {
      const page = await ledger.runs(query);
      const rest = page.older === null ? [] : await allIds({ ...query, before: page.older });
      return [...idsOf(page), ...rest];
    };

    beforeEach(async () => {
      await appendAt('1T10', aStart(of('a')), anEnd(of('a')));
      await appendAt('1T11', aStart(of('b', 'ben')), anEnd({ ...of('b', 'ben'), outcome: 'timed_out' }));
      await appendAt('2T10', aStart({ run_id: null }), anEnd({ run_id: null, outcome: 'refused' }));
      await appendAt('2T11', aStart(of('c')), anEnd({ ...of('c'), outcome: 'error' }), aStart(of('c')));
      await appendAt('3T10', aStart(of('a')), anEnd({ ...of('a'), outcome: 'refused' }), anEnd(of('a')));
    });

    it('lists each run once with its owner, times and outcomes, the last used one first', async () => {
      expect(await ledger.runs({ limit: 10 })).toEqual({
        runs: [
          {
            ...{ runId: 'a', principal: 'anna', agent: 'agent of anna', lastSeq: 12 },
            startedAt: '2026-01-01T10:00:00.000Z',
            endedAt: '2026-01-03T10:00:00.000Z',
            outcomes: { success: 2, refused: 1 },
          },
          expect.objectContaining({ runId: 'c', lastSeq: 9, outcomes: { error: 1 } }),
          expect.objectContaining({ runId: 'b', principal: 'ben', outcomes: { timed_out: 1 } }),
        ],
        older: null,
      });
    });

    it.each<[string, Partial<RunQuery>, string[]]>([
      ['of a principal', { principal: 'ben' }, ['b']],
      ['of an agent', { agent: 'agent of anna' }, ['a', 'c']],
      ['of nobody', { principal: 'Ben' }, []],
      ['with a call that ended in a certain way', { outcome: 'refused' }, ['a']],
      ['with a call that succeeded', { outcome: 'success' }, ['a']],
      ['that were used since a time', { from: '2026-01-02T11:00:00.000Z' }, ['a', 'c']],
      ['that were last used before a time', { until: '2026-01-02T11:00:00.000Z' }, ['b']],
      ['between two times', { from: '2026-01-01T12:00:00.000Z', until: '2026-01-03T00:00:00.000Z' }, ['c']],
      ['before a line', { before: 9 }, ['b']],
    ])('lists runs %s', async (_, filter, expected) => {
      expect(await allIds({ ...filter, limit: 10 })).toEqual(expected);
    });

    it('lists a page of them, and where the next one begins', async () => {
      const page = await ledger.runs({ limit: 2 });
      expect(idsOf(page)).toEqual(['a', 'c']);
      expect(idsOf(await ledger.runs({ limit: 2, before: page.older ?? 0 }))).toEqual(['b']);
    });

    describe('within a scope', () => {
      const whole = { project: 'docs', environment: 'prod', doc_tags: null, repositories: null };
      const guides = { ...whole, doc_tags: ['a "{guide}"'] };
      const within = { scope: aScope({ docTags: ['a "{guide}"', 'b'], repositories: null }) };

      beforeEach(async () => {
        const mixed = of('d', 'dora');
        await appendAt('4T10', aStart({ ...mixed, scope: whole }), anEnd({ ...mixed, scope: whole }));
        await appendAt('4T11', aStart({ ...mixed, scope: guides }));
        const late = { ...mixed, outcome: 'timed_out' } as const;
        await appendAt('4T12', anEnd({ ...late, scope: guides }), anEnd({ ...late, scope: whole }));
        const cut = { ...whole, doc_tags: Array.from({ length: 101 }, () => 'b') };
        await appendAt('4T13', aStart({ ...of('e'), scope: cut }), aStart({ ...of('f'), scope: whole }));
      });

      it('lists runs with a line within it, and counts only such lines', async () => {
        expect(await ledger.runs({ ...within, limit: 10 })).toEqual({
          runs: [
            {
              ...{ runId: 'd', principal: 'dora', agent: 'agent of dora', lastSeq: 17 },
              startedAt: '2026-01-04T11:00:00.000Z',
              endedAt: '2026-01-04T12:00:00.000Z',
              outcomes: { timed_out: 1 },
            },
          ],
          older: null,
        });
      });

      it('lists runs whose calls ended before their scope was known, by the limit of their principal', async () => {
        const unknown = { ...guides, project: null, environment: null };
        const refused = { outcome: 'refused', executed: false } as const;
        await appendAt('4T14', anEnd({ ...of('g'), ...refused, scope: unknown }));
        await appendAt('4T15', anEnd({ ...of('h'), ...refused, scope: { ...unknown, doc_tags: ['hr'] } }));
        expect(await allIds({ ...within, limit: 10 })).toEqual(['g', 'd']);
      });

      it.each<[string, Partial<RunQuery>, string[]]>([
        ['an outcome within it', { outcome: 'timed_out' }, ['d']],
        ['an outcome outside it', { outcome: 'success' }, []],
        ['a principal outside it', { principal: 'anna' }, []],
        ['another project', { scope: aScope({ projectId: 'other' }) }, []],
        ['a scope of everything', { scope: aScope({ docTags: null, repositories: null }) }, ['f', 'e', 'd']],
      ])('filters by %s', async (_, filter, expected) => {
        expect((await allIds({ ...within, ...filter, limit: 10 })).slice(0, 3)).toEqual(expected);
      });
    });

    it('lists every run of a long ledger once', async () => {
      subject.setTime('2026-01-04T10:00:00.000Z');
      for (const run of ['d', 'e', 'f']) await ledger.append(startsOf(10_000, of(run, 'dora')), DURABLE);
      expect(await allIds({ limit: 1 })).toEqual(['f', 'e', 'd', 'a', 'c', 'b']);
      expect(await allIds({ limit: 1, principal: 'ben' })).toEqual(['b']);
    });

    it('lists runs of which retention has removed the first lines', async () => {
      subject.setTime('2026-02-01T00:00:00.000Z');
      await ledger.removeBefore('2026-01-02T00:00:00.000Z');
      const { runs } = await ledger.runs({ limit: 10 });
      expect(runs).toMatchObject([
        { runId: 'a', startedAt: '2026-01-03T10:00:00.000Z', outcomes: { success: 1, refused: 1 } },
        { runId: 'c' },
      ]);
    });

    it('lists no run of an empty ledger', async () => {
      const empty = await make();
      const none = empty.open();
      await none.append([], DURABLE);
      expect(await none.runs({ limit: 10 })).toEqual({ runs: [], older: null });
      await none.close();
      await empty.remove();
    });

    it('treats the id of a run as text', async () => {
      await ledger.append([aStart({ run_id: "\ud800'); DROP TABLE line; --" })], DURABLE);
      expect(idsOf(await ledger.runs({ limit: 1 }))).toEqual(["\ud800'); DROP TABLE line; --"]);
    });
  });

  describe(`${name}: verification`, () => {
    it('accepts an empty ledger', async () => {
      await ledger.append([], DURABLE);
      await ledger.flush();
      await ledger.append([aStart()], DURABLE);
      expect(await ledger.verify()).toMatchObject({ isIntact: true, lines: 1, first: 1 });
    });

    it('reads one state while others append', async () => {
      await ledger.append(startsOf(5_000), DURABLE);
      const verified = ledger.verify();
      await open().append(startsOf(10), DURABLE);
      const result = await verified;
      expect(result).toMatchObject({ isIntact: true });
      expect([5_000, 5_010]).toContain(result.lines);
    });

    it('compares the ledger with a mark', async () => {
      await ledger.append(startsOf(3), DURABLE);
      const mark = await ledger.head();
      if (!mark) throw new Error('the ledger is empty');
      expect(await ledger.verify(mark)).toMatchObject({ isIntact: true });
      expect(await ledger.verify({ ...mark, seq: 4 })).toMatchObject({ badSeq: 4, damage: 'mark' });
      expect(await ledger.verify({ ...mark, seq: 2 })).toMatchObject({ badSeq: 2, damage: 'mark' });
    });
  });

  describe(`${name}: retention`, () => {
    const appendAt = async (time: string, count: number): Promise<void> => {
      subject.setTime(time);
      await ledger.append(startsOf(count), DURABLE);
    };

    it('removes the lines before the first one that is not older, and keeps the rest verifiable', async () => {
      await appendAt('2026-01-01T00:00:00.000Z', 3);
      await appendAt('2026-02-01T00:00:00.000Z', 2);
      expect(await ledger.removeBefore('2026-02-01T00:00:00.000Z')).toBe(3);
      const lines = await ledger.lines(FIRST);
      expect(seqs(lines)).toEqual([4, 5, 6]);
      expect(lines[2]?.event).toEqual({ type: 'checkpoint', removed_through: 3, hash: lines[0]?.previous });
      expect(await ledger.verify()).toMatchObject({ isIntact: true, first: 4, lines: 3 });
    });

    it('removes nothing if the first line is young enough', async () => {
      await appendAt('2026-02-01T00:00:00.000Z', 1);
      await appendAt('2026-01-01T00:00:00.000Z', 1);
      expect(await ledger.removeBefore('2026-01-15T00:00:00.000Z')).toBe(0);
      expect(seqs(await ledger.lines(FIRST))).toEqual([1, 2]);
    });

    it('can remove everything; the next line follows the checkpoint', async () => {
      await appendAt('2026-01-01T00:00:00.000Z', 3);
      subject.setTime('2026-03-01T00:00:00.000Z');
      expect(await ledger.removeBefore('2026-02-01T00:00:00.000Z')).toBe(3);
      await ledger.append([aStart()], DURABLE);
      expect(calls(await ledger.lines(FIRST))).toEqual(['checkpoint', 'call-1']);
      expect(await ledger.verify()).toMatchObject({ isIntact: true, first: 4 });
    });

    it('removes many lines, several times', async () => {
      await appendAt('2026-01-01T00:00:00.000Z', 12_000);
      await appendAt('2026-02-01T00:00:00.000Z', 100);
      await appendAt('2026-03-01T00:00:00.000Z', 100);
      expect(await ledger.removeBefore('2026-01-15T00:00:00.000Z')).toBe(12_000);
      expect(await ledger.removeBefore('2026-02-15T00:00:00.000Z')).toBe(100);
      expect(await ledger.verify()).toMatchObject({ isIntact: true, first: 12_101 });
    });

    it('accepts a mark that was removed', async () => {
      await appendAt('2026-01-01T00:00:00.000Z', 3);
      const mark = await ledger.head();
      subject.setTime('2026-03-01T00:00:00.000Z');
      await ledger.removeBefore('2026-02-01T00:00:00.000Z');
      expect(await ledger.verify(mark ?? undefined)).toMatchObject({ isIntact: true });
    });
  });
}
