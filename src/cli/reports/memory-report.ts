import type { MemorySpace, MemoryStatus, ReembedReport } from '../../core/ports/memory-writer.port.js';
import type { MemoryImported } from '../../memory/rows/import-memory.js';
import { plural } from './report-lines.js';

const spelt = ({ provider, model, dim }: MemorySpace): string => `${provider} ${model} (${dim} dimensions)`;

interface ImportRun {
  readonly file: string;
  readonly seconds: number;
  /** The first lines that were skipped, each with file, line and reason. */
  readonly problems: readonly string[];
}

/** The report of an import. */
export function importedLines(imported: MemoryImported, { file, seconds, problems }: ImportRun): string[] {
  const { added, updated, unchanged, removed, repeated, skipped, keptMissing, isEmpty, format } = imported;
  const unnamed = skipped - problems.length;
  return [
    `${plural(added + updated + unchanged, 'row')} of ${format} in ${file}`,
    `${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${skipped} skipped; ${seconds.toFixed(1)} s`,
    ...(repeated > 0
      ? [`${plural(repeated, 'row')} repeated an earlier id; the last row with an id is kept`]
      : []),
    ...(keptMissing ? ['Nothing was removed, because missing rows may be among the skipped lines.'] : []),
    ...(isEmpty
      ? ['The file has no rows. Rows imported from it earlier stay in memory; --replace removes them.']
      : []),
    ...(skipped > 0 ? ['Skipped:'] : []),
    ...problems.map((problem) => `  ${problem}`),
    ...(unnamed > 0 ? [`  and ${unnamed} more`] : []),
  ];
}

/** The report of a new embedding. */
export function reembeddedLines({ space, rows, recovered }: ReembedReport): string[] {
  return [
    `${plural(rows, 'row')} embedded with ${spelt(space)}; ${recovered} of them were not searchable before`,
  ];
}

/** The numbers of rows in memory. */
export function statusLines(
  { space, rows, privateRows, embedded, incomparable, sources }: MemoryStatus,
  file: string,
): string[] {
  const total = rows.thoughts + rows.kg_entities + rows.kg_observations;
  const entities = `${rows.kg_entities} ${rows.kg_entities === 1 ? 'entity' : 'entities'}`;
  const kinds = [
    plural(rows.thoughts, 'thought'),
    entities,
    plural(rows.kg_observations, 'observation'),
  ].join(', ');
  return [
    `${plural(total, 'row')} in ${file}: ${kinds}; ${privateRows} private`,
    `Questions are embedded with ${spelt(space)}`,
    ...embedded.map((group) => `  ${plural(group.rows, 'row')} with ${spelt(group)}`),
    ...(incomparable > 0
      ? [`${plural(incomparable, 'row')} not searchable (other model or dimension); run pith memory reembed`]
      : []),
    ...(sources.length > 0 ? ['Sources:'] : []),
    ...sources.map((source) => `  ${source.source}: ${plural(source.rows, 'row')}`),
  ];
}
