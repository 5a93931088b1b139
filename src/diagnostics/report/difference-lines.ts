import type { Change, Difference, Gained, Lost, Moved, RecordedPlace } from './compare-results.js';
import { FATE_WORDS } from './fate-words.js';

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
