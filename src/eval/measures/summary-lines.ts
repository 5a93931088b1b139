import type { EvalRun, Progress } from '../eval-run.js';
import { formatDifference, formatFigure, formatInterval, formatP } from './format-figure.js';

/** Figures that are only in the report. */
const MINOR =
  /^(?:pageHit|sectionHit)(?:1|3|10)$|Estimate$|^(?:bytes|calls|errors|confidenceAuroc|quoteTokens|complete|mrr10)$/;

function padded(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd());
}

/** Summarises a run for a terminal. */
export function summaryLines({ name, all, groups, warnings }: EvalRun, progress: Progress | null): string[] {
  const changes = new Map(progress?.comparisons.map((change) => [change.key, change]));
  const rows = all.figures
    .filter(({ key, value }) => !MINOR.test(key) && value !== null)
    .map(({ key, label, unit, value, interval }) => {
      const change = changes.get(key);
      const moved = change
        ? [formatDifference(change.now - change.before, unit), `p ${formatP(change.p)}`]
        : [];
      return [label, formatFigure(value, unit), formatInterval(interval, unit), ...moved];
    });
  const [main] = all.figures;
  const byGroup = groups.flatMap(({ name: group, questions, figures }) => {
    const figure = figures.find(({ key }) => key === main?.key);
    return figure && figure.value !== null
      ? [`${group} ${formatFigure(figure.value, figure.unit)} (${questions})`]
      : [];
  });
  return [
    `${name}: ${all.questions} questions`,
    ...padded(rows),
    ...(byGroup.length > 0 ? [`  ${main?.label} by type: ${byGroup.join(', ')}`] : []),
    ...warnings.map((warning) => `  warning: ${warning}`),
  ];
}
