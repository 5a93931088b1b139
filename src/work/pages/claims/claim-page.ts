import { card, factList } from '../../../admin/views/card.js';
import { type Html, html, type Part } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { said, type Tone } from '../../../admin/views/state-mark.js';
import { listAddress, type PageColumn, pager, table } from '../../../admin/views/table.js';
import { seen, seenName } from '../../../admin/views/visible-text.js';
import { timeAt } from '../../../governance/pages/approvals/approval-state.js';
import { commonEnds } from '../../../text/quotes/common-ends.js';
import type { Claim, ClaimDecision, LinkedEvidence } from '../../claims/claim-store.port.js';
import type { QuoteStanding, Standing } from '../../claims/claims.schemas.js';
import { claimState } from './claims-page.js';

/** A piece of evidence, and where its text is now. */
export interface CheckedPiece {
  readonly piece: LinkedEvidence;
  readonly standing: QuoteStanding;
}

/** One page of the evidence of a claim. */
export interface ClaimView {
  readonly claim: Claim;
  readonly pieces: readonly CheckedPiece[];
  /** Number of pieces before this page. */
  readonly after: number;
}

const TONES: Readonly<Record<Standing, Tone>> = {
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
  { name: 'Now', isHead: true, cell: ({ standing: { state } }) => said(TONES[state], state) },
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
  const path = `/admin/claims/${id}`;
  const next = after + pieces.length;
  const rows =
    pieces.length > 0
      ? table({ caption: 'In the order in which it was linked', rows: pieces, columns: EVIDENCE })
      : html`<p class="empty">No evidence that you may see.</p>`;
  return card(
    'evidence',
    'Evidence',
    html`${rows}
    ${pager({
      of: 'the evidence',
      first: after > 0 ? path : null,
      next: next < evidence.length ? listAddress(path, { after: next }) : null,
      words: ['First', 'Later'],
    })}`,
  );
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
        decisions.length > 0
          ? table({ caption: 'Oldest first; the last one counts', rows: decisions, columns: DECISIONS })
          : html`<p class="empty">Nobody has decided about this claim.</p>`,
      )}`,
  });
}
