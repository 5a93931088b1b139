import type { GraphReport } from '../ingest/index-writer.port.js';
import { MAX_TAXONOMY_KEYS, MAX_TAXONOMY_VALUES } from '../kb/corpus-facts.js';
import type { IngestReport } from '../ingest/ingest.service.js';

/** `1 row`, `2 rows`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

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

/** What documents can be told apart by, and what of it is more than an agent is shown. */
function taxonomyLines(taxonomy: IngestReport['taxonomy']): string[] {
  if (taxonomy.length === 0) return [];
  const named = taxonomy
    .slice(0, MAX_TAXONOMY_KEYS)
    .map(({ key, values }) => `${key} (${plural(values, 'value')})`);
  const over = taxonomy.filter(({ values }) => values > MAX_TAXONOMY_VALUES);
  return [
    `Taxonomy: ${named.join(', ')}`,
    ...(taxonomy.length > MAX_TAXONOMY_KEYS
      ? [
          `  ${taxonomy.length} keys are more than agents are shown: ${MAX_TAXONOMY_KEYS}, declared ones first`,
        ]
      : []),
    ...over.map(
      ({ key, values }) =>
        `  ${key}: ${values} values are more than agents are shown: ${MAX_TAXONOMY_VALUES}`,
    ),
  ];
}

/** Where an index run left its index. */
export interface IndexPlaces {
  readonly file: string;
  /** Engines that were filled from it, as people know them. */
  readonly engines: readonly string[];
}

/** What an index run did, for people. */
export function reportLines(report: IngestReport, { file, engines }: IndexPlaces, seconds: number): string[] {
  const { documents, sections, parsed, unchanged, removed, resumed, skipped, remarks } = report;
  const work = [
    `${parsed} parsed`,
    `${unchanged} unchanged`,
    ...(resumed > 0 ? [`${resumed} kept from an unfinished run`] : []),
    `${removed} removed`,
  ];
  return [
    `${plural(documents, 'document')}, ${plural(sections, 'section')} in ${file}`,
    ...(engines.length > 0 ? [`Filled from it: ${engines.join(', ')}`] : []),
    `${work.join(', ')}; ${seconds.toFixed(1)} s`,
    ...graphLines(report.graph),
    ...taxonomyLines(report.taxonomy),
    ...(remarks.length > 0 ? [`${plural(remarks.length, 'remark')}:`] : []),
    ...remarks.map(({ path, reason }) => `  ${path}: ${reason}`),
    ...(skipped.length > 0 ? [`${plural(skipped.length, 'file')} skipped:`] : []),
    ...skipped.map(({ path, reason }) => `  ${path}: ${reason}`),
  ];
}
