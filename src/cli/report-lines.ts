import type { GraphReport } from '../ingest/index-writer.port.js';
import type { IngestReport } from '../ingest/ingest.service.js';

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Dead links that are named; the others are counted. */
const MAX_EXAMPLES = 5;

/** What the graph holds, and which links lead nowhere. */
function graphLines({ nodes, edges, links, unresolved, examples }: GraphReport): string[] {
  const things = plural(nodes['Entity'] ?? 0, 'thing');
  return [
    `Graph: ${plural(links, 'link')} between pages, ${things} named in ${plural(edges['MENTIONS'] ?? 0, 'place')}`,
    ...(unresolved > 0 ? [`${plural(unresolved, 'link')} to no page or heading here, such as:`] : []),
    ...examples.slice(0, MAX_EXAMPLES).map((example) => `  ${example}`),
  ];
}

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
    ...graphLines(report.graph),
    ...(skipped.length > 0 ? [`${plural(skipped.length, 'file')} skipped:`] : []),
    ...skipped.map(({ path, reason }) => `  ${path}: ${reason}`),
  ];
}
