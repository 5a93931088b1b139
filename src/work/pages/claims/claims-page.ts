import { selectField } from '../../../admin/views/fields.js';
import { type Html, html, type Part } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { said, type Tone } from '../../../admin/views/state-mark.js';
import { listAddress, type PageColumn, pager, table } from '../../../admin/views/table.js';
import { seen, seenName } from '../../../admin/views/visible-text.js';
import { formatCount } from '../../../diagnostics/report/format.js';
import { timeAt } from '../../../governance/pages/approvals/approval-state.js';
import { type Claim, CLAIM_STATES, type ClaimState } from '../../claims/claim-store.port.js';
import { laterEvidence } from '../../claims/later-evidence.js';
import type { ClaimsQuery } from './claims-query.js';

/** A page of the list of claims. */
export interface ClaimRows {
  readonly claims: readonly Claim[];
  /** The position before which the next page begins; null on the last page. */
  readonly older: number | null;
}

const PATH = '/admin/claims';

const TONES: Readonly<Record<ClaimState, Tone>> = { open: 'warn', accepted: 'good', rejected: 'bad' };

/** The state of a claim, and if evidence was added that the operators who decided have not seen. */
export function claimState(claim: Claim): Html {
  const later = laterEvidence(claim);
  const state = said(TONES[claim.state], claim.state);
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
  return html`<form method="get" action="${PATH}" class="filters" aria-label="Filter claims">
    <div class="fields">${selectField({ name: 'state', label: 'State', value: state ?? '', choices })}</div>
    <p class="actions"><button>Filter</button> <a href="${PATH}">Clear</a></p>
  </form>`;
}

/** The claims of the project and environment of the server. */
export function claimsPage({ claims, older }: ClaimRows, query: ClaimsQuery, frame: Frame): string {
  const { before } = query;
  return page({
    title: 'Claims',
    place: PATH,
    frame,
    content: html`<h1>Claims</h1>
      <p class="lead">Sentences that agents state, with the quotes that they rest on.</p>
      <div class="card">
        ${filters(query)}
        ${
          claims.length > 0
            ? table({ caption: 'Newest first', rows: claims, columns: COLUMNS })
            : html`<p class="empty">No claim matches. <a href="${PATH}">Show all</a></p>`
        }
        ${pager({
          of: 'the list',
          first: before === undefined ? null : listAddress(PATH, { ...query, before: undefined }),
          next: older === null ? null : listAddress(PATH, { ...query, before: older }),
        })}
      </div>`,
  });
}
