import type { EvalRow, FigureSpec } from '../eval-row.js';
import type { EvalRun, Group, Progress } from '../eval-run.js';
import type { Comparison, Interval } from './figures.js';

/** Escapes a table cell, which can't contain line breaks or `|`. */
const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}

function figureTable({ figures }: Group): string[] {
  return table(
    ['Figure', 'Key', 'Value', '95% interval'],
    figures.map(({ label, key, unit, value, interval }) => [
      label,
      `\`${key}\``,
      formatFigure(value, unit),
      formatInterval(interval, unit),
    ]),
  );
}

function groupTable({ all, groups }: EvalRun): string[] {
  if (groups.length === 0) return [];
  const rows = all.figures.map(({ label, unit }, i) => [
    label,
    ...groups.map(({ figures }) => {
      const { value = null, interval = null } = figures[i] ?? {};
      const range = formatInterval(interval, unit);
      return range === '' ? formatFigure(value, unit) : `${formatFigure(value, unit)} (${range})`;
    }),
  ]);
  const head = ['Figure', ...groups.map(({ name, questions }) => `${name} (${questions})`)];
  return ['## By kind of question', '', ...table(head, rows)];
}

function comparisonTable(comparisons: readonly Comparison[]): string[] {
  const rows = comparisons.map(({ label, unit, before, now, interval, p }) => [
    label,
    formatFigure(before, unit),
    formatFigure(now, unit),
    formatDifference(now - before, unit),
    formatInterval(interval, unit),
    formatP(p),
  ]);
  return table(['Figure', 'Before', 'Now', 'Difference', '95% interval', 'p'], rows);
}

function progressTable({ since, questions, comparisons, groups }: Progress): string[] {
  return [
    `## Compared with the run of ${since}`,
    '',
    `${questions} questions are in both runs and compared in pairs. p is from a paired permutation test.`,
    '',
    ...comparisonTable(comparisons),
    ...groups.flatMap((group) => [
      `### ${group.name} (${group.questions})`,
      '',
      ...comparisonTable(group.comparisons),
    ]),
  ];
}

/** Lists the questions that were not answered; only golden sets have this figure. */
function missTable(rows: readonly EvalRow[]): string[] {
  const misses = rows.filter(({ values }) => values['answered'] === 0);
  if (misses.length === 0) return [];
  const how = ({ values }: EvalRow): string => {
    if (values['section'] === 1) return 'another sentence';
    return values['page'] === 1 ? 'another section' : 'another page';
  };
  return [
    `## Not answered (${misses.length})`,
    '',
    ...table(
      ['Id', 'Type', 'Quoted', 'Question'],
      misses.map((row) => [row.id, row.type, how(row), row.question]),
    ),
  ];
}

export function renderReport(run: EvalRun, progress: Progress | null): string {
  const { name, date, version, node, setup, warnings, all } = run;
  const facts = { date, pith: version, node, ...setup, questions: String(all.questions) };
  const lines = [
    `# Evaluation: ${name}`,
    '',
    ...Object.entries(facts).map(([key, value]) => `- ${key}: ${value}`),
    ...warnings.map((warning) => `- **warning:** ${warning}`),
    '',
    'docs/eval.md describes how each figure is measured. Intervals are from 1,000 bootstrap samples of the questions.',
    '',
    '## Figures',
    '',
    ...figureTable(all),
    ...(progress ? progressTable(progress) : []),
    ...groupTable(run),
    ...missTable(run.rows),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

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

const DECIMALS: Readonly<Record<FigureSpec['unit'], number>> = {
  share: 3,
  tokens: 0,
  ms: 2,
  bytes: 0,
  count: 2,
};

function formatFigure(value: number | null, unit: FigureSpec['unit']): string {
  return value === null ? '–' : value.toFixed(DECIMALS[unit]);
}

function formatInterval(interval: Interval | null, unit: FigureSpec['unit']): string {
  return interval ? `${formatFigure(interval.low, unit)} to ${formatFigure(interval.high, unit)}` : '';
}

function formatDifference(value: number, unit: FigureSpec['unit']): string {
  const text = value.toFixed(DECIMALS[unit]);
  return value > 0 ? `+${text}` : text;
}

function formatP(p: number): string {
  return p < 0.001 ? '< .001' : p.toFixed(3);
}
