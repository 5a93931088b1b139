import type { FacetCount } from '../../core/ports/index-facts.js';
import { formatBytes, formatCount } from '../../diagnostics/report/format.js';
import type { IndexReport } from '../facts/index-facts.service.js';
import { bar } from '../views/bar.js';
import { card, factList } from '../views/card.js';
import { type Html, html, type Part, timeAt } from '../views/html.js';
import { type Frame, page } from '../views/layout.js';
import { table } from '../views/table.js';

function facets(title: string, id: string, rows: readonly FacetCount[]): Html | null {
  if (rows.length === 0) return null;
  const most = Math.max(...rows.map(({ sections }) => sections));
  return card(
    id,
    title,
    table({
      caption: `${title}, most sections first`,
      isCaptionHidden: true,
      rows,
      columns: [
        {
          name: 'Name',
          isHead: true,
          cell: ({ value }) => html`<bdi class="id">${value === '' ? '(none)' : value}</bdi>`,
        },
        { name: 'Documents', isNumber: true, cell: ({ documents }) => formatCount(documents) },
        { name: 'Sections', isNumber: true, cell: ({ sections }) => formatCount(sections) },
        { name: 'Share', cell: ({ sections }) => bar([{ length: sections, fill: 'c1' }], { of: most }) },
      ],
    }),
  );
}

function list(values: readonly string[] | null): string {
  if (values === null) return 'all';
  return values.length === 0 ? 'none' : values.join(', ');
}

/** Facts about the index. */
export function corpusPage(report: IndexReport, frame: Frame): string {
  const { scope, graph } = report;
  const facts: readonly (readonly [string, Part])[] = [
    ['Project', html`<bdi>${report.project_id}</bdi>`],
    ['Environment', html`<bdi>${report.environment}</bdi>`],
    ['Documents', formatCount(report.documents)],
    ['Sections', formatCount(report.sections)],
    ['File size', report.bytes === 0 ? 'not shown within your scope' : formatBytes(report.bytes)],
    ['Published', timeAt(report.indexed_at)],
    ['Generation', html`<bdi class="id">${report.generation}</bdi>`],
    ['File', html`<bdi class="id">${report.file}</bdi>`],
    ['Vectors', report.embedder],
    ['Graph', graph.enabled ? graph.engine : 'off'],
    ['Tags in scope', list(scope.doc_tags)],
    ['Repositories in scope', list(scope.repositories)],
  ];
  return page({
    title: 'Index',
    place: '/admin/corpus',
    frame,
    lead: 'The documents that this server answers from, as far as you may see them.',
    content: html`${card('facts', 'Facts', factList(facts))}
      <div class="halves">
        ${facets('Tags', 'tags', report.doc_tags)}${facets('Repositories', 'repositories', report.repositories)}
      </div>
      ${report.is_cut && html`<p class="note">This list is truncated; there are more tags or repositories.</p>`}`,
  });
}
