import { z } from 'zod';
import { AdminFailure } from '../../admin/admin-failure.js';
import { parseQuery } from '../../admin/admin-query.js';
import { card, factList } from '../../admin/views/card.js';
import { filterForm, selectField } from '../../admin/views/fields.js';
import { type Html, html, type Part, seen, seenName, timeAt } from '../../admin/views/html.js';
import { type Frame, page } from '../../admin/views/layout.js';
import { said, type Tone } from '../../admin/views/state-mark.js';
import { listTable, type PageColumn } from '../../admin/views/table.js';
import { formatCount } from '../../diagnostics/report/format.js';
import { commonEnds } from '../../text/quotes/common-ends.js';
import {
  type Claim,
  CLAIM_STATES,
  type ClaimDecision,
  type ClaimState,
  laterEvidence,
  type LinkedEvidence,
} from './claim.js';
import type { QuoteStanding, Standing } from './claims.schemas.js';

const ID = /^[0-9a-f]{1,64}$/;
const place = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const claimsSchema = z.strictObject({ state: z.enum(CLAIM_STATES).optional(), before: place.optional() });

/** Filters of the list of claims, named as in URLs. */
type ClaimsQuery = z.output<typeof claimsSchema>;

const evidenceSchema = z.strictObject({ after: place.default(0) });

/** @throws AdminFailure INVALID_ARGUMENT */
export const parseClaimsQuery = (query: unknown): ClaimsQuery => parseQuery(claimsSchema, query);

/** The number of pieces of evidence before a page. @throws AdminFailure INVALID_ARGUMENT */
export const parseEvidencePlace = (query: unknown): number => parseQuery(evidenceSchema, query).after;

/** @throws AdminFailure NOT_FOUND for texts that can't be ids */
export function parseClaimId(id: string): string {
  if (ID.test(id)) return id;
  throw noClaim();
}

/** For a claim of another project or environment, too. */
export function noClaim(): AdminFailure {
  return new AdminFailure('NOT_FOUND', 'No claim has this id.', 'Open it from the list at /admin/claims.');
}

/** A page of the list of claims. */
interface ClaimRows {
  readonly claims: readonly Claim[];
  /** The position before which the next page begins; null on the last page. */
  readonly older: number | null;
}

const PATH = '/admin/claims';

const STATE_TONES: Readonly<Record<ClaimState, Tone>> = { open: 'warn', accepted: 'good', rejected: 'bad' };

/** The state of a claim, and if evidence was added that the operators who decided have not seen. */
function claimState(claim: Claim): Html {
  const later = laterEvidence(claim);
  const state = said(STATE_TONES[claim.state], claim.state);
  return later === 0 ? state : html`${state} ${said('warn', `${formatCount(later)} added later`)}`;
}

function evidenceText({ evidence }: Claim): Part {
  if (evidence.length === 0) return null;
  const supporting = evidence.filter(({ stance }) => stance === 'supports').length;
  return `${formatCount(supporting)} for, ${formatCount(evidence.length - supporting)} against`;
}

const COLUMNS: readonly PageColumn<Claim>[] = [
  {
    name: 'Statement',
    isHead: true,
    isWide: true,
    cell: ({ id, statement }) => html`<a href="${PATH}/${id}"><bdi>${seen(statement)}</bdi></a>`,
  },
  { name: 'State', cell: claimState },
  { name: 'Evidence', cell: evidenceText },
  { name: 'Made by', cell: ({ createdBy }) => seenName(createdBy) },
  { name: 'Made', cell: ({ createdAt }) => timeAt(createdAt) },
];

function filters({ state }: ClaimsQuery): Html {
  const choices = [['', 'any'] as const, ...CLAIM_STATES.map((each) => [each, each] as const)];
  const fields = selectField({ name: 'state', label: 'State', value: state ?? '', choices });
  return filterForm({ action: PATH, label: 'Filter claims', fields });
}

/** The claims of the project and environment of the server. */
export function claimsPage({ claims, older }: ClaimRows, query: ClaimsQuery, frame: Frame): string {
  const list = listTable({
    caption: 'Newest first',
    rows: claims,
    columns: COLUMNS,
    empty: html`No claim matches. <a href="${PATH}">Show all</a>`,
    pages: { path: PATH, query, by: 'before', next: older },
  });
  return page({
    title: 'Claims',
    place: PATH,
    frame,
    lead: 'Sentences that agents state, with the quotes that they rest on.',
    content: html`<div class="card">${filters(query)} ${list}</div>`,
  });
}

/** A piece of evidence, and where its text is now. */
export interface CheckedPiece {
  readonly piece: LinkedEvidence;
  readonly standing: QuoteStanding;
}

/** One page of the evidence of a claim. */
interface ClaimView {
  readonly claim: Claim;
  readonly pieces: readonly CheckedPiece[];
  /** Number of pieces before this page. */
  readonly after: number;
}

const STANDING_TONES: Readonly<Record<Standing, Tone>> = {
  holds: 'good',
  moved: 'warn',
  changed: 'warn',
  gone: 'bad',
  unknown: 'warn',
};

const DECISIONS: readonly PageColumn<ClaimDecision>[] = [
  { name: 'Decision', isHead: true, cell: ({ verdict }) => verdict },
  { name: 'Reason', isWide: true, cell: ({ reason }) => html`<bdi>${seen(reason)}</bdi>` },
  { name: 'Decided by', cell: ({ decidedBy }) => seenName(decidedBy.join(', ')) },
  { name: 'Asked by', cell: ({ proposedBy }) => seenName(proposedBy) },
  { name: 'Time', cell: ({ at }) => timeAt(at) },
  {
    name: 'Approval',
    cell: ({ approvalId }) =>
      html`<a href="/admin/approvals/${encodeURIComponent(approvalId)}">${seenName(approvalId)}</a>`,
  },
];

/** A text in which the part is marked that another one does not have. */
function marked(text: string, { start, end }: ReturnType<typeof commonEnds>): Html {
  const to = text.length - end;
  const part = start < to && html`<mark>${seen(text.slice(start, to))}</mark>`;
  return html`<bdi>${seen(text.slice(0, start))}${part}${seen(text.slice(to))}</bdi>`;
}

function linkedText({ piece, standing: { change } }: CheckedPiece): Part {
  if (!change) return html`<bdi>${seen(piece.quote)}</bdi>`;
  return marked(change.old_text, commonEnds(change.old_text, change.new_text));
}

function presentText({ standing: { state, change } }: CheckedPiece): Part {
  if (state === 'holds' || state === 'moved') return 'The same text.';
  if (!change) return null;
  const text = marked(change.new_text, commonEnds(change.old_text, change.new_text));
  return change.only_white_space ? html`${text} (Only white space differs.)` : text;
}

function placeText({ standing: { place } }: CheckedPiece): Part {
  return place && html`${seenName(place.section_id)} ${place.start_char}–${place.end_char}`;
}

const EVIDENCE: readonly PageColumn<CheckedPiece>[] = [
  { name: 'Now', isHead: true, cell: ({ standing: { state } }) => said(STANDING_TONES[state], state) },
  { name: 'Stance', cell: ({ piece }) => piece.stance },
  { name: 'As linked', isWide: true, cell: linkedText },
  { name: 'Present text', isWide: true, cell: presentText },
  {
    name: 'Linked from',
    cell: ({ piece: { sectionId, start, end } }) => html`${seenName(sectionId)} ${start}–${end}`,
  },
  { name: 'Present place', cell: placeText },
  { name: 'Linked by', cell: ({ piece: { addedBy } }) => seenName(addedBy) },
  { name: 'Linked', cell: ({ piece: { addedAt } }) => timeAt(addedAt) },
];

function evidenceCard({ claim: { id, evidence }, pieces, after }: ClaimView): Html {
  const next = after + pieces.length;
  const list = listTable({
    caption: 'In the order in which it was linked',
    rows: pieces,
    columns: EVIDENCE,
    empty: 'No evidence that you may see.',
    pages: {
      path: `${PATH}/${id}`,
      query: { after: after > 0 ? after : undefined },
      by: 'after',
      next: next < evidence.length ? next : null,
      of: 'the evidence',
      words: ['First', 'Later'],
    },
  });
  return card('evidence', 'Evidence', list);
}

function dataFacts({ data }: Claim): (readonly [string, Part])[] {
  if (!data) return [];
  const { schema, json } = data;
  return [
    ['Schema', html`${seenName(schema.name)}, version ${schema.version}`],
    ['Data', html`<bdi>${seen(json)}</bdi>`],
  ];
}

/** A claim, the decisions about it, and its evidence beside the present text. */
export function claimPage(view: ClaimView, frame: Frame): string {
  const { claim } = view;
  const { decisions } = claim;
  return page({
    title: 'Claim',
    place: '/admin/claims',
    frame,
    content: html`<h1>Claim <bdi class="id">${claim.id}</bdi></h1>
      ${factList([
        ['Statement', html`<bdi>${seen(claim.statement)}</bdi>`],
        ...dataFacts(claim),
        ['State', claimState(claim)],
        ['Made by', seenName(claim.createdBy)],
        ['Made', timeAt(claim.createdAt)],
      ])}
      ${evidenceCard(view)}
      ${card(
        'decisions',
        'Decisions',
        listTable({
          caption: 'Oldest first; the last one counts',
          rows: decisions,
          columns: DECISIONS,
          empty: 'Nobody has decided about this claim.',
        }),
      )}`,
  });
}
