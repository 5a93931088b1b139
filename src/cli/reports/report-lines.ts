import type { UnindexedFiles } from '../../config/index-sources.js';
import { rowsByKey } from '../../core/collections/group-rows.js';
import { MAX_TAXONOMY_KEYS, MAX_TAXONOMY_VALUES } from '../../core/corpus-facts.js';
import type { Remark } from '../../core/indexed-document.js';
import type { GraphReport } from '../../core/ports/index-writer.port.js';
import { isCode } from '../../ingest/conversion/formats.js';
import type { IngestReport } from '../../ingest/ingest-corpus.js';
import { isMissingText } from '../../ingest/missing-text.js';
import type { IndexRunReport } from '../../ingest/runs/index-processes.js';
import { kindsText, kindText } from '../../ingest/unread-files.js';

/** `1 row`, `2 rows`. */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;

/** A list of the line; an empty list if the line does not apply. */
export const when = (applies: boolean, line: string): string[] => (applies ? [line] : []);

const MAX_EXAMPLES = 5;
/** Maximum number of forms of links that are listed. */
const MAX_FORMS = 8;

function graphLines({ nodes, edges, links, unresolved, unread, examples }: GraphReport): string[] {
  const forms = Object.entries(unread).map(([form, count]) => `${form} (${count})`);
  const unreadLinks = Object.values(unread).reduce((sum, count) => sum + count, 0);
  const entities = plural(nodes['Entity'] ?? 0, 'entity', 'entities');
  return [
    `Graph: ${plural(links, 'link')} between pages, ${entities}, ${plural(edges['MENTIONS'] ?? 0, 'mention')}`,
    ...when(
      unresolved > 0,
      `${plural(unresolved, 'link')} with no target page or heading in this corpus, such as:`,
    ),
    ...examples.slice(0, MAX_EXAMPLES).map((example) => `  ${example}`),
    ...when(
      forms.length > 0,
      `${plural(unreadLinks, 'link')} not understood: ${forms.slice(0, MAX_FORMS).join(', ')}`,
    ),
  ];
}

/** The keys of the taxonomy, and the keys whose values are not all listed for agents. */
function taxonomyLines(taxonomy: IngestReport['taxonomy']): string[] {
  if (taxonomy.length === 0) return [];
  const named = taxonomy
    .slice(0, MAX_TAXONOMY_KEYS)
    .map(({ key, values }) => `${key} (${plural(values, 'value')})`);
  const over = taxonomy.filter(({ values }) => values > MAX_TAXONOMY_VALUES);
  return [
    `Taxonomy: ${named.join(', ')}`,
    ...when(
      taxonomy.length > MAX_TAXONOMY_KEYS,
      `  ${taxonomy.length} keys; agents see the first ${MAX_TAXONOMY_KEYS}, declared keys first`,
    ),
    ...over.map(
      ({ key, values }) => `  ${key}: ${values} values; agents see the first ${MAX_TAXONOMY_VALUES}`,
    ),
  ];
}

/** The files in unsupported formats, and those that are ignored. */
export function unreadLines({ unread, ignored }: Pick<IngestReport, 'unread' | 'ignored'>): string[] {
  const total = unread.reduce((sum, { files }) => sum + files, 0);
  const others = unread.filter(({ advice }) => advice === null);
  const code = others
    .flatMap(({ extension }) => (isCode(`a${extension}`) ? [extension.slice(1)] : []))
    .sort();
  const codeGlob = code.length > 1 ? `{${code.join(',')}}` : code.join('');
  return [
    ...when(
      ignored > 0,
      `${plural(ignored, 'file or folder', 'files or folders')} ignored by .gitignore or .ignore (--no-ignore indexes them)`,
    ),
    ...when(total > 0, `${plural(total, 'file')} in unsupported formats:`),
    ...unread.flatMap((kind) => (kind.advice === null ? [] : [`  ${kindText(kind)}: ${kind.advice}`])),
    ...when(others.length > 0, `  ${kindsText(others)}`),
    ...when(code.length > 0, `  documentation in code is read if \`include\` names it: **/*.${codeGlob}`),
  ];
}

/** The places that an index run published to. */
export interface IndexPlaces {
  readonly file: string;
  /** Engines with their addresses, for people. */
  readonly engines: readonly string[];
  /** Settings that servers on these engines need. */
  readonly settings?: readonly string[];
}

function workLine({ parsed, unchanged, resumed, removed }: IngestReport, seconds: number): string {
  const work = [
    `${parsed} parsed`,
    `${unchanged} unchanged`,
    ...when(resumed > 0, `${resumed} reused from an unfinished run`),
    `${removed} removed`,
  ];
  return `${work.join(', ')}; ${seconds.toFixed(1)} s`;
}

/** The files of a run that need fixing. */
export const problemsIn = ({ skipped, remarks }: Pick<IngestReport, 'skipped' | 'remarks'>): Remark[] =>
  [...skipped, ...remarks].filter(({ isProblem }) => isProblem);

/** A run of `--watch` in one line; null if nothing happened. @param changed  in words; null if no change was seen */
export function watchLine(report: IngestReport, changed: string | null, seconds: number): string | null {
  if (changed === null && report.parsed + report.removed + report.resumed === 0) return null;
  const [problem, ...more] = problemsIn(report).sort(
    (a, b) => Number(isMissingText(b)) - Number(isMissingText(a)),
  );
  const others = more.length > 0 ? ` and ${plural(more.length, 'more problem')}` : '';
  return [
    `${changed ?? 'Changes'}: ${workLine(report, seconds)}`,
    ...(problem ? [`${problem.path}: ${problem.reason}${others}`] : []),
  ].join('; ');
}

/** The first lines of a report: that many pages have no text. */
export function missingTextLines({ remarks }: Pick<IndexRunReport, 'remarks'>): string[] {
  return remarks.filter(isMissingText).map(({ path, reason }) => `${path}: ${reason}`);
}

/** The command that lists all files that are left out. @param index  the index file if one was chosen */
export const listingCommand = (folder: string, index: string | undefined): string =>
  `pith index ${JSON.stringify(folder)}${index === undefined ? '' : ` --index ${JSON.stringify(index)}`} --json`;

/** A source whose own lines tell the files that it lacks. */
interface ShownSource {
  readonly name: string;
  readonly left_out: UnindexedFiles | null;
}

interface ShortReportPlaces {
  readonly file: string;
  /** The command that lists all files that are left out. */
  readonly listing: string;
  readonly shown: readonly ShownSource[];
}

/** The report without the files of sources that are shown. */
function withoutShown(report: IngestReport, shown: readonly ShownSource[]): IngestReport {
  const counts = shown.flatMap(({ left_out: left }) => left?.unread ?? []);
  const shownFiles = (kind: string): number =>
    counts.reduce((sum, { extension, files }) => sum + (extension === kind ? files : 0), 0);
  const isShown = (path: string): boolean =>
    shown.some(({ name, left_out: left }) => left && (path === name || path.startsWith(`${name}/`)));
  return {
    ...report,
    skipped: report.skipped.filter(({ path }) => !isShown(path)),
    unread: report.unread
      .map((kind) => ({ ...kind, files: kind.files - shownFiles(kind.extension) }))
      .filter(({ files }) => files > 0),
  };
}

/** The report of a run that is not the purpose of its command. */
export function shortReportLines(
  report: IngestReport,
  { file, listing, shown }: ShortReportPlaces,
  seconds: number,
): string[] {
  const { documents, sections } = report;
  const others = withoutShown(report, shown);
  const remarks = report.remarks.filter((remark) => !isMissingText(remark));
  const files = [...others.skipped, ...remarks].sort((a, b) => Number(b.isProblem) - Number(a.isProblem));
  const isPartial = report.skipped.length + report.unread.length + report.remarks.length > 0;
  return [
    ...missingTextLines(report),
    `${plural(documents, 'document')}, ${plural(sections, 'section')} in ${file}`,
    workLine(report, seconds),
    ...unreadLines({ unread: others.unread, ignored: 0 }),
    ...when(files.length > 0, `${plural(files.length, 'file')} skipped or with remarks:`),
    ...fewLines(files.length, files),
    ...when(isPartial, `To list all of them: ${listing}`),
  ];
}

/** The first of many files with their reasons. @param total  their number */
export function fewLines(
  total: number,
  files: readonly { readonly path: string; readonly reason: string }[],
): string[] {
  const few = files.slice(0, MAX_EXAMPLES);
  return [
    ...few.map(({ path, reason }) => `  ${path}: ${reason}`),
    ...when(total > few.length, `  and ${total - few.length} more`),
  ];
}

/** The report of an index run. */
export function reportLines(report: IngestReport, places: IndexPlaces, seconds: number): string[] {
  const { file, engines, settings = [] } = places;
  const { documents, sections, skipped } = report;
  const remarks = report.remarks.filter((remark) => !isMissingText(remark));
  return [
    ...missingTextLines(report),
    `${plural(documents, 'document')}, ${plural(sections, 'section')} in ${file}`,
    ...when(documents === 0, 'The folder has no documents any more, so the index is empty.'),
    ...when(engines.length > 0, `Published to: ${engines.join(', ')}`),
    ...when(settings.length > 0, `To search there, set ${settings.join(' ')}`),
    workLine(report, seconds),
    ...when(report.limited > 0, `Only for some groups: ${plural(report.limited, 'document')}`),
    ...graphLines(report.graph),
    ...taxonomyLines(report.taxonomy),
    ...unreadLines(report),
    ...when(remarks.length > 0, `${plural(remarks.length, 'remark')}:`),
    ...remarks.map(({ path, reason }) => `  ${path}: ${reason}`),
    ...when(skipped.length > 0, `${plural(skipped.length, 'file')} skipped:`),
    ...skippedLines(skipped),
  ];
}

/** All problems, and of the other files the first few with each reason. */
function skippedLines(skipped: IngestReport['skipped']): string[] {
  const line = ({ path, reason }: IngestReport['skipped'][number]): string => `  ${path}: ${reason}`;
  const others = skipped.filter(({ isProblem }) => !isProblem);
  return [
    ...skipped.filter(({ isProblem }) => isProblem).map(line),
    ...[...rowsByKey(others, ({ reason }) => reason)].flatMap(([reason, files]) => [
      ...files.slice(0, MAX_EXAMPLES).map(line),
      ...when(files.length > MAX_EXAMPLES, `  and ${files.length - MAX_EXAMPLES} more: ${reason}`),
    ]),
  ];
}

/** The sources of a run, and the names of those that it no longer has. */
interface ReportedSources {
  readonly sources?: readonly object[];
  readonly removed?: readonly string[];
}

/** The report of an index run as one line of JSON. */
export function reportJson(
  report: IngestReport,
  { file, engines, sources = [], removed = [] }: IndexPlaces & ReportedSources,
  seconds: number,
): string {
  const read = sources.length + removed.length > 0 ? { sources, removed_sources: removed } : {};
  return JSON.stringify({ index: file, engines, seconds: Number(seconds.toFixed(3)), ...read, ...report });
}
