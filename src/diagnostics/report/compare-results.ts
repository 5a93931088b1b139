import { type DiagnosticRecord, type Fate, isGraphUsed } from '../record/diagnostic-record.js';
import { FATE_WORDS } from './fate-words.js';

interface Ranked {
  readonly chunk_id: string;
  readonly rank: number;
  readonly scores: { readonly fused: number };
}

/** The rank of a section that was not returned, and the reason why it was left out. */
interface RecordedPlace {
  readonly rank: number;
  readonly fate: Fate;
}

/** The outcome of a retrieval; every diagnostic is one. */
export interface Outcome extends Pick<DiagnosticRecord, 'generation' | 'counts' | 'answerable' | 'config'> {
  /** Returned sections, in the order of the result. */
  readonly results: readonly Ranked[];
  /** Other ranked sections, in rank order. */
  readonly left_out: readonly (Ranked & { readonly fate: Fate })[];
  readonly error: { readonly code: string; readonly reason: string } | null;
}

/** A value before and after. */
export interface Change<T> {
  readonly then: T;
  readonly now: T;
}

/** A section whose place or score changed. */
export interface Moved extends Change<number> {
  readonly section_id: string;
}

/** A section that is no longer returned; `rank` is its previous one. */
export interface Lost {
  readonly section_id: string;
  readonly rank: number;
  /** Its current rank and the reason why it was left out; null if it is not in the list. */
  readonly now: RecordedPlace | null;
}

/** A section that was not returned before; `rank` is its current one. */
export interface Gained {
  readonly section_id: string;
  readonly rank: number;
  readonly then: RecordedPlace | null;
}

/** The difference between two outcomes of one question. */
export interface Difference {
  /** True if both returned the same sections in the same order, with the same scores and counts. */
  readonly is_same: boolean;
  readonly generation: Change<string | null>;
  readonly gained: readonly Gained[];
  readonly lost: readonly Lost[];
  readonly moved: readonly Moved[];
  /** Sections that were returned both times, with another score. */
  readonly rescored: readonly Moved[];
  /** Changed counts, by name. */
  readonly counts: Readonly<Record<string, Change<number>>>;
  /** Changed settings of the engine, by name. */
  readonly settings: Readonly<Record<string, Change<string>>>;
  readonly answerable: Change<string | null> | null;
  readonly error: Change<string | null> | null;
}

type Counts = Readonly<Record<string, number>>;

/** `dropped.dedupe` for `{ dropped: { dedupe } }`. */
function flatten(counts: DiagnosticRecord['counts']): Counts {
  const { dropped, dedupe, not_returned, ...plain } = counts;
  const under = (name: string, group: Counts): [string, number][] =>
    Object.entries(group).map(([key, value]) => [`${name}.${key}`, value]);
  return Object.fromEntries([
    ...Object.entries(plain),
    ...under('dropped', dropped),
    ...under('dedupe', dedupe),
    ...under('not_returned', not_returned),
  ]);
}

function settingsOf({ config }: Outcome): Readonly<Record<string, string>> {
  const { hybrid_enabled, reranker, fusion } = config;
  const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');
  return {
    graph: onOff(isGraphUsed(config)),
    vectors: onOff(hybrid_enabled),
    reranker: onOff(reranker.enabled),
    fusion: JSON.stringify(fusion),
  };
}

function changesIn<T>(
  then: Readonly<Record<string, T>>,
  now: Readonly<Record<string, T>>,
): Record<string, Change<T>> {
  const changed = Object.entries(then).flatMap(([name, before]) => {
    const after = now[name];
    return after === undefined || after === before ? [] : [[name, { then: before, now: after }] as const];
  });
  return Object.fromEntries(changed);
}

const byId = <T extends Ranked>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((each) => [each.chunk_id, each]));

/** Sections of one list that the other outcome did not return, with their place there. */
function missingFrom(list: readonly Ranked[], other: Outcome) {
  const [returned, leftOut] = [byId(other.results), byId(other.left_out)];
  return list
    .filter(({ chunk_id }) => !returned.has(chunk_id))
    .map(({ chunk_id, rank }) => {
      const there = leftOut.get(chunk_id);
      return { section_id: chunk_id, rank, there: there ? { rank: there.rank, fate: there.fate } : null };
    });
}

function changed(then: Outcome, now: Outcome, valueOf: (each: Ranked) => number): Moved[] {
  const before = byId(then.results);
  return now.results.flatMap((each) => {
    const old = before.get(each.chunk_id);
    if (!old || valueOf(old) === valueOf(each)) return [];
    return [{ section_id: each.chunk_id, then: valueOf(old), now: valueOf(each) }];
  });
}

function changeOf<T>(then: T, now: T): Change<T> | null {
  return then === now ? null : { then, now };
}

const errorOf = ({ error }: Outcome): string | null => error && `${error.code} ${error.reason}`;

/** Compares an earlier outcome of a question with the current one. */
export function compareResults(then: Outcome, now: Outcome): Difference {
  const gained = missingFrom(now.results, then).map(({ there, ...each }) => ({ ...each, then: there }));
  const lost = missingFrom(then.results, now).map(({ there, ...each }) => ({ ...each, now: there }));
  const moved = changed(then, now, ({ rank }) => rank);
  const rescored = changed(then, now, ({ scores }) => scores.fused);
  const counts = changesIn(flatten(then.counts), flatten(now.counts));
  const answerable = changeOf(then.answerable?.verdict ?? null, now.answerable?.verdict ?? null);
  const error = changeOf(errorOf(then), errorOf(now));
  const differences = [...gained, ...lost, ...moved, ...rescored, ...Object.keys(counts)];
  return {
    is_same: differences.length === 0 && !answerable && !error,
    generation: { then: then.generation, now: now.generation },
    gained,
    lost,
    moved,
    rescored,
    counts,
    settings: then.error || now.error ? {} : changesIn(settingsOf(then), settingsOf(now)),
    answerable,
    error,
  };
}

const change = <T>({ then, now }: Change<T>): string =>
  `${String(then ?? 'none')} → ${String(now ?? 'none')}`;

function placed(place: RecordedPlace | null, otherwise: string): string {
  return place ? `rank ${place.rank}, ${FATE_WORDS[place.fate].brief ?? place.fate}` : otherwise;
}

function group(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title} (${lines.length}):`, ...lines.map((line) => `  ${line}`)];
}

const gainedLine = ({ section_id, rank, then }: Gained): string =>
  `${section_id}  now rank ${rank}; before: ${placed(then, 'not in the list')}`;
const lostLine = ({ section_id, rank, now }: Lost): string =>
  `${section_id}  before: rank ${rank}; now ${placed(now, 'not in the list')}`;
const movedLine = (moved: Moved): string => `${moved.section_id}  ${change(moved)}`;

const namedChanges = (changes: Readonly<Record<string, Change<unknown>>>): string[] =>
  Object.entries(changes).map(([name, each]) => `${name}  ${change(each)}`);

/** The difference as lines: gained, lost and moved sections, then scores, counts and settings. */
export function differenceLines(difference: Difference): string[] {
  const { generation, gained, lost, moved, rescored, counts, settings, answerable, error } = difference;
  const isOther = generation.then !== generation.now;
  return [
    isOther ? `Index: ${change(generation)}` : `Index: unchanged (${generation.now ?? 'none'})`,
    ...(error ? [`Failure: ${change(error)}`] : []),
    ...(answerable ? [`Answerable: ${change(answerable)}`] : []),
    ...group('Gained', gained.map(gainedLine)),
    ...group('Lost', lost.map(lostLine)),
    ...group('Rank changed', moved.map(movedLine)),
    ...group('Score changed', rescored.map(movedLine)),
    ...group('Counts changed', namedChanges(counts)),
    ...group('Settings changed', namedChanges(settings)),
    ...(difference.is_same ? ['The same sections, in the same order, with the same scores and counts.'] : []),
  ];
}
