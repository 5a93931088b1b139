import { z } from 'zod';
import { instantSchema, parseGiven, parseQuery } from '../../admin/admin-query.js';
import { decidingForm, notPermittedNote } from '../../admin/forms/operator-forms.js';
import { card, factList } from '../../admin/views/card.js';
import { filterForm, inputField, selectField } from '../../admin/views/fields.js';
import { type Html, html, type Part, seen, seenName, timeAt } from '../../admin/views/html.js';
import { type Frame, page } from '../../admin/views/layout.js';
import { said, type Tone } from '../../admin/views/state-mark.js';
import { listTable, type PageColumn } from '../../admin/views/table.js';
import { askedTimes, GAP_FORMATS } from './export-gaps.js';
import { GAP_STATES, type GapFacts, gapFacts, gapNotFound, type GapState, type GapView } from './gap.js';
import type { KeptQuestion } from './question.js';

const PATH = '/admin/gaps';
const ID = /^[0-9a-f-]{1,64}$/;

const querySchema = z.strictObject({
  state: z.enum(GAP_STATES).optional(),
  since: instantSchema.optional(),
  after: z.coerce.number().int().min(0).max(100_000).optional(),
});
/** Filters of the list of gaps, named as in URLs. */
export type GapsQuery = z.output<typeof querySchema>;

/** @throws AdminFailure INVALID_ARGUMENT */
export const parseGapsQuery = (query: unknown): GapsQuery => parseQuery(querySchema, query);

const formatSchema = z.enum(GAP_FORMATS);
/** @throws AdminFailure INVALID_ARGUMENT */
export const parseGapFormat = (format: string) =>
  parseGiven(formatSchema, format, `Formats: ${GAP_FORMATS.join(', ')}.`);

const formSchema = z.strictObject({
  token: z.string().max(128),
  action: z.enum(['open', 'written', 'answered', 'claim']),
});
/** @throws AdminFailure INVALID_ARGUMENT */
export const parseGapForm = (form: unknown): z.output<typeof formSchema> =>
  parseGiven(formSchema, { ...Object(form) }, 'Use the form on the page.');

/** @throws InvalidArgumentError `gap_not_found` for texts that can't be ids */
export function parseGapId(id: string): string {
  if (ID.test(id)) return id;
  throw gapNotFound();
}

const TONES: Readonly<Record<GapState, Tone>> = {
  open: 'bad',
  written: 'warn',
  checked: 'warn',
  answered: 'good',
};

const COLUMNS: readonly PageColumn<GapFacts>[] = [
  {
    name: 'Question',
    isHead: true,
    isWide: true,
    cell: ({ gap_id, examples }) =>
      html`<a href="${PATH}/${gap_id}"><bdi>${seen(examples[0] ?? '')}</bdi></a>`,
  },
  { name: 'State', cell: ({ state }) => said(TONES[state], state) },
  { name: 'Asked', isNumber: true, cell: ({ asked }) => asked },
  { name: 'Since', cell: ({ since }) => timeAt(since) },
  { name: 'Last', cell: ({ last_asked }) => timeAt(last_asked) },
  { name: 'Nearest', cell: ({ nearest }) => nearest && seen(nearest.title) },
];

function filters({ state, since }: GapsQuery): Html {
  const choices = [['', 'any'] as const, ...GAP_STATES.map((each) => [each, each] as const)];
  const fields = [
    selectField({ name: 'state', label: 'State', value: state ?? '', choices }),
    inputField({ name: 'since', label: 'Asked since (UTC)', value: since ?? '', type: 'datetime-local' }),
  ];
  return filterForm({ action: PATH, label: 'Filter gaps', fields });
}

function exportLinks({ state, since }: GapsQuery): Html {
  const query = new URLSearchParams({ ...(state && { state }), ...(since && { since }) }).toString();
  const links = GAP_FORMATS.map(
    (format) => html`<a href="${PATH}/export/${format}${query && `?${query}`}">${format}</a> `,
  );
  return html`<p class="note">Export: ${links}· <a href="${PATH}/usage">Usage</a></p>`;
}

/** A page of gaps. */
interface GapRows {
  readonly rows: readonly GapFacts[];
  /** Number of gaps before the next page; null on the last page. */
  readonly next: number | null;
}

/** The list of gaps. */
export function gapsPage({ rows, next }: GapRows, query: GapsQuery, frame: Frame): string {
  const list = listTable({
    caption: 'The most asked first',
    rows,
    columns: COLUMNS,
    empty: html`No gap matches. <a href="${PATH}">Show all</a>`,
    pages: { path: PATH, query, by: 'after', next, words: ['First', 'Further'] },
  });
  return page({
    title: 'Gaps',
    place: PATH,
    frame,
    lead: 'Questions that the documents did not answer, by subject.',
    content: html`<div class="card">${filters(query)} ${list} ${exportLinks(query)}</div>`,
  });
}

/** The page of a server that keeps no questions. */
export function noQuestionsPage(frame: Frame): string {
  return page({
    title: 'Gaps',
    place: PATH,
    frame,
    content: html`<h1>Gaps</h1>
      <p class="empty">
        This server keeps no questions. To see what the documents do not answer, set
        <code>PITH_QUESTIONS=on</code>. See <code>docs/gaps.md</code>.
      </p>`,
  });
}

const ASKS: readonly PageColumn<KeptQuestion>[] = [
  { name: 'Asked', isHead: true, cell: ({ askedAt }) => timeAt(askedAt) },
  { name: 'Question', isWide: true, cell: ({ text }) => html`<bdi>${seen(text)}</bdi>` },
  { name: 'Keywords', cell: ({ keywords }) => (keywords.length === 0 ? null : seen(keywords.join(', '))) },
  { name: 'Agent', cell: ({ agent }) => seenName(agent) },
  { name: 'Verdict', cell: ({ verdict }) => verdict },
  { name: 'Read on', cell: ({ isReadOn }) => (isReadOn ? 'yes' : null) },
  { name: 'Asked again', cell: ({ id, root }) => (id === root ? null : 'yes') },
  { name: 'Helped', cell: ({ answered }) => answered },
  { name: 'Missing', isWide: true, cell: ({ missing }) => (missing === '' ? null : seen(missing)) },
];

interface GapForm {
  readonly token: string;
  readonly mayDecide: boolean;
  readonly operator: string;
}

const button = (action: string, words: string): Html =>
  html`<button name="action" value="${action}">${words}</button> `;

function formCard({ gap }: GapView, { token, mayDecide, operator }: GapForm): Html {
  if (!mayDecide)
    return card('change', 'Change', html`<p class="note">${notPermittedNote(seenName(operator))}</p>`);
  const buttons = [
    gap.state !== 'open' && button('open', 'Open again'),
    gap.state === 'open' && button('written', 'A page was written'),
    gap.state !== 'answered' && button('answered', 'It is answered'),
    gap.answer !== null && gap.claimId === '' && button('claim', 'Make a claim'),
  ];
  return card(
    'change',
    'Change',
    decidingForm(`${PATH}/${gap.id}`, token, html`<p class="actions">${buttons}</p>`),
  );
}

/** Most questions of a gap that its page shows. */
const MAX_ASKS = 100;

/** A gap: its questions, what to add, and the text that answers it. */
export function gapPage(view: GapView, form: GapForm, frame: Frame): string {
  const facts = gapFacts(view);
  const { nearest, answer, claim_id: claim } = facts;
  const asks = view.needs.flatMap((need) => need.asks).slice(-MAX_ASKS);
  const rows: readonly (readonly [string, Part])[] = [
    ['State', html`${said(TONES[facts.state], facts.state)} since ${timeAt(facts.state_since)}`],
    ['Asked', askedTimes(facts.asked)],
    ...(nearest ? [['Nearest', html`${seen(nearest.title)} ${seenName(nearest.section_id)}`] as const] : []),
    ['To do', seen(facts.add)],
    ...(answer
      ? [['Text', html`<bdi>${seen(answer.quote)}</bdi> ${seenName(answer.section_id)}`] as const]
      : []),
    ...(claim === null
      ? []
      : [['Claim', html`<a href="/admin/claims/${claim}">${seenName(claim)}</a>`] as const]),
  ];
  return page({
    title: 'Gap',
    place: PATH,
    frame,
    content: html`<h1><bdi>${seen(facts.examples[0] ?? '')}</bdi></h1>
      ${factList(rows)} ${formCard(view, form)}
      ${card(
        'questions',
        'Questions',
        listTable({ caption: 'Oldest first', rows: asks, columns: ASKS, empty: 'None.' }),
      )}`,
  });
}
