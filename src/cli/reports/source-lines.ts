import { resolve } from 'node:path';
import type { SourceFacts } from '../../sources/sync-sources.js';
import { plainLine } from '../../text/plain-line.js';
import { fewLines, plural, unreadLines, when } from './report-lines.js';

const quoted = (text: string): string => (/[^\w./~:@+-]/.test(text) ? JSON.stringify(text) : text);

/** The options with which a command finds a list and its index, if it needs them. @param folder  absolute */
export const placeOptions = (folder: string, index: string | undefined): string =>
  [
    ...when(folder !== resolve('.'), ` --folder ${quoted(folder)}`),
    ...(index === undefined ? [] : [` --index ${quoted(index)}`]),
  ].join('');

/** A source whose advice names commands that suit the call. @param options  those of a list; without a list, the same command is run */
export function advised<T extends { readonly hint: string | null }>(source: T, options?: string): T {
  const { hint } = source;
  if (hint === null) return source;
  const suited =
    options === undefined
      ? hint
          .replace(/pith sync \S+ (?=--)/, 'the same command with ')
          .replace(/: pith remove \S+/, ', or out of the command.')
      : hint.replace(/pith (?:sync|remove) \S+(?: --accept-removal)?/, `$&${options}`);
  return { ...source, hint: suited };
}

const MAX_REFUSED = 5;
const COMMIT = /^[\da-f]{40,64}(?= )/;
const SHORT = 10;

const shownRevision = (revision: string | null): string => {
  const [commit] = COMMIT.exec(revision ?? '') ?? [];
  return commit === undefined ? '' : ` at ${commit.slice(0, SHORT)}`;
};

function changesText({ changes }: SourceFacts): string {
  if (changes === null) return '';
  const { added, updated, removed, unchanged } = changes;
  if (added + updated + removed === 0) return '';
  return ` (${added} added, ${updated} updated, ${removed} removed, ${unchanged} unchanged)`;
}

const WORDS: Readonly<Record<SourceFacts['state'], string>> = {
  new: 'not read yet',
  ready: 'ready',
  unchanged: 'unchanged',
  updated: 'updated',
  held: 'kept as it was',
  failed: 'failed',
  removed: 'removed',
};

const stateText = ({ state, revision }: SourceFacts): string => WORDS[state] + shownRevision(revision);

/** The pages of a source. Those of a folder are known after an index run. */
const pagesText = ({ kind, pages, changes, checked_at: checked }: SourceFacts): string[] =>
  when(kind !== 'folder' || changes !== null || checked !== null, plural(pages, 'page'));

/** One line for each source, and what is wrong with it. */
export function factsLines(sources: readonly SourceFacts[]): string[] {
  return sources.flatMap((source) => [
    `${source.name}: ${[stateText(source), ...pagesText(source)].join(', ')}${changesText(source)}`,
    ...when(source.problem !== null, `  ${plainLine(source.problem ?? '')}`),
    ...when(source.hint !== null, `  ${source.hint ?? ''}`),
    ...refusedLines(source),
  ]);
}

export function refusedLines({ refused }: Pick<SourceFacts, 'refused'>): string[] {
  const more = refused.length - MAX_REFUSED;
  return [
    ...refused
      .slice(0, MAX_REFUSED)
      .map(({ address, reason }) => `  refused ${plainLine(address)}: ${reason}`),
    ...when(more > 0, `  and ${more} more`),
  ];
}

/** The files that the index has not, of a source: the first few, and how many. */
export function leftOutLines({ left_out: left }: Pick<SourceFacts, 'left_out'>): string[] {
  if (left === null) return [];
  return [
    ...when(left.skipped > 0, `${plural(left.skipped, 'file')} skipped:`),
    ...fewLines(left.skipped, left.examples),
    ...unreadLines({ unread: left.unread, ignored: 0 }),
  ].map((line) => `  ${plainLine(line)}`);
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** The time since an instant, in its largest unit: `3 hours ago`. @param now  milliseconds since 1970 */
function ago(instant: string | null, now: number): string {
  if (instant === null) return 'never';
  const seconds = Math.max(1, Math.round((now - Date.parse(instant)) / 1000));
  const [unit, name] = UNITS.find(([size]) => seconds >= size) ?? [1, 'second'];
  return `${plural(Math.floor(seconds / unit), name)} ago`;
}

/** The state of a source. @param now  milliseconds since 1970 */
export function stateLine(source: SourceFacts, now: number): string[] {
  const { name, kind, address } = source;
  const facts = [
    stateText(source),
    ...pagesText(source),
    ...(kind === 'folder'
      ? when(source.checked_at !== null, `read ${ago(source.checked_at, now)}`)
      : [`checked ${ago(source.checked_at, now)}, changed ${ago(source.fetched_at, now)}`]),
  ];
  return [
    `${name} (${kind} ${plainLine(address)})`,
    `  ${facts.join(', ')}`,
    ...when(source.problem !== null, `  ${plainLine(source.problem ?? '')}`),
    ...when(source.hint !== null, `  ${source.hint ?? ''}`),
  ];
}
