import type { EvalRow } from '../eval-row.js';
import type { EvalRun, Group, Progress } from '../eval-run.js';
import type { Comparison } from './figures.js';
import { formatDifference, formatFigure, formatInterval, formatP } from './format-figure.js';

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

/** Renders a run as a Markdown page. */
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
