import { sectionReaderAddress } from '../../core/section-id.js';
import type {
  DiagnosticCandidate,
  DiagnosticRecord,
  Fate,
} from '../../diagnostics/record/diagnostic-record.js';
import { CANDIDATE_COLUMNS, FATE_COLUMNS, SECTION_COLUMNS } from '../../diagnostics/report/columns.js';
import { FATE_WORDS } from '../../diagnostics/report/fate-words.js';
import { formatCount, formatPlural, formatScore, inAddress } from '../../diagnostics/report/format.js';
import { locateSection, type SectionPlace, whyCommand } from '../../diagnostics/report/locate-section.js';
import { bar, type BarPart } from './bar.js';
import { card, legend } from './card.js';
import { type Html, html, type Part } from './html.js';
import { type PageColumn, pageColumn, table } from './table.js';

/** Maximum number of rows; the JSON contains all. */
const MAX_ROWS = 100;

const FILLS: Readonly<Record<string, string>> = { words: 'c1', vector: 'c2', title: 'c3', graph: 'c4' };
const fillOf = (signal: string): string => FILLS[signal] ?? 'c5';

type Row = DiagnosticCandidate & { readonly fate?: Fate; readonly instead?: string | null };

/** The share of each signal; the whole score if no shares were recorded. */
function partsOf({ scores, explain }: DiagnosticCandidate): readonly BarPart[] {
  const signals = Object.entries(explain.rrf_field_contributions);
  const known = signals.length > 0 ? signals : [['score', scores.fused] as const];
  const gained = known.filter(([, share]) => share > 0);
  // A negative share, for the kind of a page, shortens all others alike.
  const whole = gained.reduce((sum, [, share]) => sum + share, 0);
  const left = known.reduce((sum, [, share]) => sum + share, 0) / (whole || 1);
  return gained.map(([signal, share]) => ({ length: Math.max(0, share * left), fill: fillOf(signal) }));
}

const sharesText = ({ explain }: DiagnosticCandidate): string =>
  Object.entries(explain.rrf_field_contributions)
    .filter(([, share]) => share !== 0)
    .map(([signal, share]) => `${signal} ${formatScore(share)}`)
    .join(' + ');

/** An id in `<bdi>`, so that its text direction does not affect the text around it. */
function sectionName(id: string): Html {
  return html`<bdi class="id">${id}</bdi>`;
}

/** A link to the lookup of a section. */
function sectionLink(id: string): Html {
  return html`<a href="?section=${inAddress(id)}#lookup">${sectionName(id)}</a>`;
}

/** The name of a section, which leads to its text where the server shows it. */
const openSection = (id: string, hasReader: boolean): Html =>
  hasReader ? html`<a href="${sectionReaderAddress(id)}">${sectionName(id)}</a>` : sectionName(id);

function aboutSection(
  { chunk_id: id, doc_tag: tag, source, explain }: DiagnosticCandidate,
  hasReader: boolean,
): Html {
  const way =
    explain.graph_path.length > 0 && explain.graph_path.map((step, i) => [i > 0 && ' → ', sectionName(step)]);
  return html`${openSection(id, hasReader)}<span class="under"
      >${tag !== null && html`<bdi class="tag">${tag}</bdi> `}<bdi>${source}</bdi>${way && html`, lifted by the graph: ${way}`}</span
    >`;
}

const fateOf = ({ fate, instead }: Pick<Row, 'fate' | 'instead'>): Part =>
  fate && [
    FATE_WORDS[fate].clause,
    instead !== null && instead !== undefined && [': ', sectionLink(instead)],
  ];

const { rank, id, fused, bm25, vector, rerank, graph } = SECTION_COLUMNS;
const { fate } = FATE_COLUMNS;

function scoreColumns(rows: readonly Row[], best: number): readonly PageColumn<Row>[] {
  const hasReranked = rows.some(({ scores }) => scores.rerank !== null);
  return [
    pageColumn<Row>(fused, {
      isNumber: false,
      cell: (row) =>
        html`<span class="score"
            ><strong>${formatScore(row.scores.fused)}</strong>${bar(partsOf(row), { of: best })}</span
          ><span class="under">${sharesText(row)}</span>`,
    }),
    pageColumn(bm25),
    pageColumn(vector),
    pageColumn(graph, {
      cell: ({ scores }) => (scores.graph === 0 ? null : `+${formatScore(scores.graph)}`),
    }),
    ...(hasReranked ? [pageColumn(rerank)] : []),
    pageColumn(CANDIDATE_COLUMNS.tokens),
  ];
}

interface CandidateTable {
  readonly caption: string;
  readonly rows: readonly Row[];
  /** Highest score of all tables, so that bars can be compared. */
  readonly best: number;
  readonly isLeftOut: boolean;
  readonly hasReader: boolean;
}

function candidateTable({ caption, rows, best, isLeftOut, hasReader }: CandidateTable): Html {
  const columns: readonly PageColumn<Row>[] = [
    pageColumn(rank),
    pageColumn<Row>(id, { isHead: true, isWide: true, cell: (row) => aboutSection(row, hasReader) }),
    ...(isLeftOut ? [pageColumn(fate, { isWide: true, cell: fateOf })] : []),
    ...scoreColumns(rows, best),
  ];
  const shown = rows.slice(0, MAX_ROWS);
  const more = rows.length - shown.length;
  return html`${table({ caption, columns, rows: shown })}
  ${more > 0 && html`<p class="note">${formatPlural(more, 'more section')} in the JSON of this record.</p>`}`;
}

/** Returned and omitted sections with their scores. @param hasReader  true if the server shows their documents */
export function candidates(record: DiagnosticRecord, hasReader = false): Html | null {
  const { results, left_out: leftOut } = record;
  const all: readonly Row[] = [...results, ...leftOut];
  if (all.length === 0) return null;
  const best = Math.max(...all.map(({ scores }) => scores.fused), 0);
  const signals = [...new Set(all.flatMap(({ explain }) => Object.keys(explain.rrf_field_contributions)))];
  const layers = signals.map((signal) => ({ name: html`<bdi>${signal}</bdi>`, fill: fillOf(signal) }));
  return card(
    'candidates',
    'Candidates',
    html`<p class="unit">
        Scores have no unit and are comparable only within this retrieval. Bars show the share of each signal.
      </p>
      ${legend(layers)}
      ${candidateTable({ caption: `Returned: ${formatPlural(results.length, 'section')}`, rows: results, best, isLeftOut: false, hasReader })}
      ${leftOut.length > 0 && candidateTable({ caption: `Not returned: ${formatPlural(leftOut.length, 'section')}`, rows: leftOut, best, isLeftOut: true, hasReader })}`,
  );
}

/** All matches, including those dropped later; recorded only with `diagnostic_debug`. */
export function hits({ pre_dedupe: rows = [] }: DiagnosticRecord): Html | null {
  if (rows.length === 0) return null;
  const shown = rows.slice(0, MAX_ROWS);
  return card(
    'hits',
    'Matches before removal of duplicates',
    html`<details>
      <summary>The best ${formatCount(shown.length)} of ${formatCount(rows.length)} matches</summary>
      ${table({
        caption: 'Matches, best first',
        isCaptionHidden: true,
        rows: shown,
        columns: [
          pageColumn(rank),
          pageColumn(id, { isHead: true, isWide: true, cell: ({ chunk_id }) => sectionName(chunk_id) }),
          pageColumn(fate, { cell: fateOf }),
          pageColumn(fused),
          pageColumn(bm25),
        ],
      })}
    </details>`,
  );
}

const replacement = (id: string | null): Part =>
  id !== null && [' Listed in its place: ', sectionLink(id), '.'];

function fateText(place: SectionPlace, command: string): Part {
  switch (place.where) {
    case 'returned':
      return `was returned at position ${place.place}; its rank was ${place.rank}.`;
    case 'left_out':
      return [
        `was ranked ${place.rank} and not returned: ${FATE_WORDS[place.fate].clause}.`,
        replacement(place.instead),
      ];
    case 'dropped':
      return [
        `matched and was ranked ${place.rank} before duplicates were removed: ${FATE_WORDS[place.fate].clause}.`,
        replacement(place.instead),
      ];
    case 'unknown':
      return html`is not in this record: it did not match, or it was dropped before the list was made. To find
        the cause, run: <code class="command">${command}</code>`;
  }
}

/** A form that looks up a section, and its result. */
export function sectionLookup(record: DiagnosticRecord, sectionId: string): Html {
  const answer =
    sectionId !== '' &&
    html`<p class="answer" role="status">
      ${sectionName(sectionId)} ${fateText(locateSection(record, sectionId), whyCommand(record, sectionId))}
    </p>`;
  return html`<section class="card" id="lookup" aria-labelledby="lookup-head">
    <h2 id="lookup-head">Where is my section?</h2>
    <form method="get" action="/admin/retrievals/${record.diagnostic_id}#lookup" class="lookup">
      <label for="section">Id of the section you expected</label>
      <div class="together">
        <input
          id="section"
          name="section"
          type="text"
          value="${sectionId}"
          maxlength="1024"
          autocomplete="off"
          spellcheck="false"
          autocapitalize="none"
        /><button>Look up</button>
      </div>
    </form>
    ${answer}
  </section>`;
}
