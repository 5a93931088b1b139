import { chainLines, ledgerKeys, signHead } from '../../../../src/governance/ledger/ledger-chain.js';
import type { LedgerVerification } from '../../../../src/governance/ledger/ledger-line.js';
import {
  LedgerVerifier,
  type UncheckedLine,
  type VerifierFacts,
} from '../../../../src/governance/ledger/ledger-verifier.js';
import { aLedger, aStart, KEYS, startsOf, TIME } from '../../../support/a-ledger.js';

const { lines, head } = aLedger(startsOf(6));

function verified(some: readonly UncheckedLine[], facts: Partial<VerifierFacts> = {}): LedgerVerification {
  const verifier = new LedgerVerifier({ keys: KEYS, head, ...facts });
  for (const line of some) verifier.add(line);
  return verifier.end();
}

const bad = (badSeq: number, damage: string) => expect.objectContaining({ isIntact: false, badSeq, damage });
const without = (...seqs: number[]): UncheckedLine[] => lines.filter(({ seq }) => !seqs.includes(seq));
const changed = (seq: number, change: Partial<UncheckedLine>): UncheckedLine[] =>
  lines.map((line) => (line.seq === seq ? { ...line, ...change } : line));

describe('LedgerVerifier', () => {
  it('accepts lines as they were written', () => {
    expect(verified(lines)).toEqual({
      isIntact: true,
      lines: 6,
      first: 1,
      head: { seq: 6, hash: lines[5]?.hash },
    });
  });

  it('does not accept an emptied ledger, which looks like a new one', () => {
    expect(verified([], { head: null })).toEqual(bad(1, 'cut'));
  });

  it.each<[string, Partial<UncheckedLine>]>([
    ['time', { time: '2026-01-01T00:00:00.001Z' }],
    ['event', { event: lines[0]?.event }],
    ['hash', { hash: lines[0]?.hash }],
    ['previous hash', { previous: lines[0]?.hash }],
    ['case of the hash', { hash: lines[2]?.hash.toLowerCase() }],
  ])('finds a line with another %s', (_, change) => {
    expect(verified(changed(3, change))).toEqual(bad(3, 'changed'));
  });

  it.each<[string, Partial<UncheckedLine>]>([
    ['no event', { event: null }],
    ['a number as a hash', { hash: 5 }],
    ['bytes as an event', { event: Buffer.from('{}') }],
    ['a fraction as a sequence number', { seq: 3.5 }],
    ['text around the time', { time: `${TIME}","x":"` }],
  ])('finds a line with %s', (_, change) => {
    expect(verified(changed(3, change))).toEqual(bad(3, 'unreadable'));
  });

  it.each([
    ['the first', [1], 1],
    ['the first two', [1, 2], 1],
    ['one in the middle', [4], 4],
    ['two in the middle', [3, 4], 3],
  ])('finds that lines are missing: %s', (_, seqs, badSeq) => {
    expect(verified(without(...seqs))).toEqual(bad(badSeq, 'missing'));
  });

  it.each([
    ['one line', [6], 6],
    ['all but one', [2, 3, 4, 5, 6], 2],
    ['all', [1, 2, 3, 4, 5, 6], 1],
  ])('finds a cut tail: %s', (_, seqs, badSeq) => {
    expect(verified(without(...seqs))).toEqual(bad(badSeq, 'cut'));
  });

  it('finds two swapped lines', () => {
    const [third, fourth] = [lines[2], lines[3]];
    const swapped = lines.map((line) => {
      if (line.seq === 3) return { ...fourth, seq: 3 };
      return line.seq === 4 ? { ...third, seq: 4 } : line;
    });
    expect(verified(swapped as UncheckedLine[])).toEqual(bad(3, 'changed'));
  });

  it('finds a line that was written at another place of the ledger', () => {
    const again = aLedger([aStart()], { seq: 2, hash: 'another' }).lines;
    expect(verified([...lines.slice(0, 2), ...again, ...lines.slice(3)])).toEqual(bad(3, 'unlinked'));
  });

  it('finds a line added at the end', () => {
    const forged = { ...lines[5], seq: 7 } as UncheckedLine;
    expect(verified([...lines, forged])).toEqual(bad(7, 'changed'));
  });

  it('finds genuine lines that the head does not know', () => {
    expect(verified(lines, { head: signHead(lines[3] ?? head, KEYS) })).toEqual(bad(5, 'added'));
  });

  it.each([
    ['no head', null],
    ['a head with another number', { ...head, seq: 5 }],
    ['a head with another hash', { ...head, hash: lines[4]?.hash }],
    ['a head with another signature', { ...head, signature: head.hash }],
    ['a head of another type', { ...head, seq: '6' }],
    ['the head of another line with this number', signHead({ seq: 6, hash: 'another' }, KEYS)],
  ])('finds %s', (_, other) => {
    expect(verified(lines, { head: other })).toEqual(bad(6, 'head'));
  });

  it('says that another secret signed the ledger', () => {
    const keys = ledgerKeys('another secret of at least thirty-two characters');
    expect(verified(lines, { keys })).toEqual(bad(1, 'other_secret'));
  });

  it('finds lines that another secret signed', () => {
    const keys = ledgerKeys('another secret of at least thirty-two characters');
    const foreign = chainLines([{ time: TIME, event: '{}' }], head, keys);
    expect(verified([...lines, ...foreign])).toEqual(bad(7, 'changed'));
  });

  it('reports the first of several bad lines, and how many are good', () => {
    expect(verified(changed(3, { time: TIME.replace('2026', '2025') }).slice(0, 5))).toMatchObject({
      lines: 2,
      badSeq: 3,
    });
  });

  it('reports a file that can no longer be read', () => {
    const verifier = new LedgerVerifier({ keys: KEYS, head });
    for (const line of lines.slice(0, 2)) verifier.add(line);
    verifier.giveUp('disk I/O error');
    expect(verifier.end()).toEqual(bad(3, 'unreadable'));
  });
});

describe('LedgerVerifier, with a mark that was noted earlier', () => {
  const mark = { seq: 4, hash: lines[3]?.hash ?? '' };

  it('accepts a ledger that goes on from there', () => {
    expect(verified(lines, { mark })).toMatchObject({ isIntact: true });
  });

  it('finds an earlier copy of the ledger', () => {
    const [third] = lines.slice(2);
    expect(verified(lines.slice(0, 3), { mark, head: signHead(third ?? head, KEYS) })).toEqual(
      bad(4, 'mark'),
    );
  });

  it('finds another ledger in its place', () => {
    const other = aLedger(startsOf(6, { tool: 'kb.read_excerpt' }));
    expect(verified(other.lines, { mark, head: other.head })).toEqual(bad(4, 'mark'));
  });
});

describe('LedgerVerifier, after old lines were removed', () => {
  const checkpoint = { type: 'checkpoint', removed_through: 3, hash: lines[2]?.hash ?? '' } as const;
  const marked = aLedger([checkpoint, aStart()], head);
  const kept = [...lines.slice(3), ...marked.lines];

  it('accepts the lines after the last checkpoint', () => {
    expect(verified(kept, { head: marked.head })).toMatchObject({ isIntact: true, lines: 5, first: 4 });
  });

  it('accepts a checkpoint whose lines are all gone but itself', () => {
    const last = aLedger([{ type: 'checkpoint', removed_through: 6, hash: head.hash }], head);
    expect(verified(last.lines, { head: last.head })).toMatchObject({ isIntact: true, lines: 1, first: 7 });
  });

  it('finds that more was removed than the checkpoint says', () => {
    expect(verified(kept.slice(1), { head: marked.head })).toEqual(bad(4, 'missing'));
  });

  it('finds that lines were put back', () => {
    expect(verified([...lines, ...marked.lines], { head: marked.head })).toEqual(bad(1, 'added'));
  });

  it('finds a missing checkpoint', () => {
    const { lines: later, head: newest } = aLedger([aStart()], head);
    expect(verified([...lines.slice(3), ...later], { head: newest })).toEqual(bad(1, 'missing'));
  });

  it('accepts a mark that a checkpoint has removed', () => {
    const mark = { seq: 2, hash: lines[1]?.hash ?? '' };
    expect(verified(kept, { head: marked.head, mark })).toMatchObject({ isIntact: true });
  });
});
