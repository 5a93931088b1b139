import type { GroupLists } from '../../core/document-groups.js';
import { findHidden, type SectionIndex } from '../../core/ports/section-index.port.js';
import { coversGroups, type Scope, scopeAllows, scopeCovers } from '../../core/scope.js';
import { pagePath } from '../../core/section-id.js';
import type { SchemaRef } from '../schemas/schema-store.js';

/** A piece of evidence supports or contradicts a claim. */
export const STANCES = ['supports', 'contradicts'] as const;
type Stance = (typeof STANCES)[number];

/** The state of a claim: that of its last decision. */
export const CLAIM_STATES = ['open', 'accepted', 'rejected'] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

/** Max evidence per claim and principal. Other principals' evidence is not counted: this caller may not be allowed to see it. */
export const MAX_EVIDENCE = 100;
/** Max decisions about one claim. */
export const MAX_DECISIONS = 50;

/** A place in a section. */
export interface Evidence {
  readonly sectionId: string;
  /** UTF-16 offsets in the text of the section. */
  readonly start: number;
  readonly end: number;
  /** The text between them. */
  readonly quote: string;
  /** SHA-256 of the text of the section, in hex. */
  readonly sectionHash: string;
  /** Path of the document, not encoded; its tag, repository and groups, which decide who sees the piece. */
  readonly path: string;
  readonly docTag: string;
  readonly repository: string;
  readonly allow?: GroupLists;
  readonly stance: Stance;
}

/** A stored piece of evidence. */
export interface LinkedEvidence extends Evidence {
  /** Derived from the piece, so that a piece is stored once. */
  readonly id: string;
  readonly addedBy: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  /** The SHA-256 of the artifact that the document was read from; absent for a file of a folder. */
  readonly artifact?: string;
}

/** A piece of evidence to store. It is dated when it is written, as decisions are. */
export type NewEvidence = Omit<LinkedEvidence, 'addedAt'>;

/** A decision about a claim, which operators have approved. */
export interface ClaimDecision {
  readonly verdict: Exclude<ClaimState, 'open'>;
  readonly reason: string;
  /** The principal that asked for the decision. */
  readonly proposedBy: string;
  /** The operators who approved it. */
  readonly decidedBy: readonly string[];
  readonly approvalId: string;
  /** When the first of them approved it (ms since the epoch). The decision is about the evidence of that time. */
  readonly approvedAt: number;
  /** When the decision was recorded (ms since the epoch). */
  readonly at: number;
}

/** The statement of a claim as data that fits a schema. */
export interface ClaimData {
  readonly schema: SchemaRef;
  /** Canonical JSON. */
  readonly json: string;
}

export interface NewClaim {
  /** Not guessable. */
  readonly id: string;
  readonly statement: string;
  /** Null for a claim that is a sentence only. */
  readonly data: ClaimData | null;
  readonly createdBy: string;
}

export interface Claim extends NewClaim {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly state: ClaimState;
  /** Position in the list of its project and environment, from 1. */
  readonly position: number;
  /** In the order in which they were added. */
  readonly evidence: readonly LinkedEvidence[];
  /** In order. */
  readonly decisions: readonly ClaimDecision[];
}

export interface ClaimQuery {
  /** Default: all states. */
  readonly state?: ClaimState;
  /** Only claims with a lower position. */
  readonly before?: number;
  readonly limit: number;
}

/** The number of visible pieces of evidence that were added since the last decision was first approved; 0 for an open claim. */
export function laterEvidence({ decisions, evidence }: Pick<Claim, 'decisions' | 'evidence'>): number {
  const last = decisions.at(-1);
  return last ? evidence.filter(({ addedAt }) => addedAt >= last.approvedAt).length : 0;
}

/** A claim, and the scope of the call that made it; null for claims of earlier versions. */
export interface FoundClaim extends Claim {
  readonly madeIn: Scope | null;
}

/**
 * True for the claims of a space that a scope shows: those whose evidence is all of documents in the scope, to callers
 * with the groups of the maker, because a statement may say anything that its maker could see. A claim without evidence
 * needs a scope that covers that of the maker.
 */
export function isVisible(scope: Scope, { evidence, madeIn }: FoundClaim): boolean {
  if (evidence.length > 0)
    return evidence.every((piece) => scopeAllows(scope, piece)) && (!madeIn || coversGroups(scope, madeIn));
  return scopeCovers(scope, madeIn ?? { ...scope, docTags: null, repositories: null });
}

/**
 * Those of some claims that a scope shows and whose evidence is not of a document that is hidden now.
 * @throws BackendUnavailableError
 */
export async function visibleClaims<C extends FoundClaim>(
  index: Pick<SectionIndex, 'sections'>,
  scope: Scope,
  claims: readonly C[],
): Promise<readonly C[]> {
  const stored = claims.filter((claim) => isVisible(scope, claim));
  const ids = stored.flatMap(({ evidence }) => evidence.map(({ sectionId }) => sectionId));
  const hidden = await findHidden(index, scope, ids);
  return stored.filter(({ evidence }) => !evidence.some(({ sectionId }) => hidden.has(pagePath(sectionId))));
}
