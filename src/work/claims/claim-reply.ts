import type { Call } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { encodePath } from '../../core/section-id.js';
import { noteOrigin } from '../../mcp/rendering/refs-of.js';
import { ListCursors, type ListPage, pageFrom } from '../list-pages.js';
import type { Claim, LinkedEvidence } from './claim-store.port.js';
import { type ClaimListOutput, type ClaimOutput, type EvidenceItem, MAX_PIECES } from './claims.schemas.js';
import { laterEvidence } from './later-evidence.js';

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** The fields of a claim that all its results have. */
export function claimFacts(claim: Claim) {
  const { id, statement, state, createdBy, createdAt } = claim;
  return {
    ...{ claim_id: id, statement, state },
    evidence_added_after_decision: laterEvidence(claim),
    ...{ created_by: createdBy, created_at: timeOf(createdAt) },
  };
}

export function listedClaim(claim: Claim): ClaimListOutput['claims'][number] {
  const count = (stance: string): number => claim.evidence.filter((piece) => piece.stance === stance).length;
  return { ...claimFacts(claim), supports: count('supports'), contradicts: count('contradicts') };
}

/** The statement in its structured form. */
export function shownData({ data }: Claim): Pick<ClaimOutput, 'schema' | 'data'> {
  return { schema: data && { ...data.schema }, data: data && (JSON.parse(data.json) as unknown) };
}

/** The decisions about a claim, in order. */
export function shownDecisions({ decisions }: Claim): ClaimOutput['decisions'] {
  return decisions.map(({ verdict, reason, decidedBy, proposedBy, at }) => ({
    decision: verdict === 'accepted' ? 'accept' : 'reject',
    reason,
    decided_by: [...decidedBy],
    proposed_by: proposedBy,
    decided_at: timeOf(at),
  }));
}

export function shownEvidence(call: Call, piece: LinkedEvidence): EvidenceItem {
  noteOrigin(call, piece, [piece.sectionId]);
  return {
    evidence_id: piece.id,
    stance: piece.stance,
    quote: piece.quote,
    section_id: piece.sectionId,
    start_char: piece.start,
    end_char: piece.end,
    section_hash: piece.sectionHash,
    path: encodePath(piece.path),
    added_by: piece.addedBy,
    added_at: timeOf(piece.addedAt),
  };
}

/** One page of the pieces of a claim, and its cursors. */
export interface EvidencePage extends ListPage<LinkedEvidence> {
  readonly cursors: ListCursors;
}

interface AskedPage {
  readonly tool: string;
  readonly cursor: string | null | undefined;
  readonly secret: string;
}

/** Cuts a page of evidence. Pieces are only added, at the end. @throws InvalidArgumentError for a bad cursor */
export function evidencePage(call: Call, claim: Claim, { tool, cursor, secret }: AskedPage): EvidencePage {
  const cursors = new ListCursors(call, [tool, claim.id, call.scope], { secret });
  return { cursors, ...pageFrom(claim.evidence, cursors.offsetOf(cursor), MAX_PIECES) };
}

/** For a claim of another project or environment, too. */
export function claimNotFound(): InvalidArgumentError {
  return new InvalidArgumentError('There is no claim with this id.', {
    reason: 'claim_not_found',
    hint: 'Call claim.list for the ids.',
  });
}
