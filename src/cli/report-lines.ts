import type { IngestReport } from '../ingest/ingest.service.js';

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What an index run did, for people. */
export function reportLines(report: IngestReport, file: string, seconds: number): string[] {
  const { documents, sections, parsed, unchanged, removed, resumed, skipped } = report;
  const work = [
    `${parsed} parsed`,
    `${unchanged} unchanged`,
    ...(resumed > 0 ? [`${resumed} kept from an unfinished run`] : []),
    `${removed} removed`,
  ];
  return [
    `${plural(documents, 'document')}, ${plural(sections, 'section')} in ${file}`,
    `${work.join(', ')}; ${seconds.toFixed(1)} s`,
    ...(skipped.length > 0 ? [`${plural(skipped.length, 'file')} skipped:`] : []),
    ...skipped.map(({ path, reason }) => `  ${path}: ${reason}`),
  ];
}
