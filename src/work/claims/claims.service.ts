import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import type { Call } from '../../core/call.js';
import { decodeCursor, encodeCursor } from '../../core/cursor.js';
import { APPROVAL_REQUIRED, InvalidArgumentError, ScopeViolationError } from '../../core/errors.js';
import { keptOf, listReply, type Reply, shownSkipped } from '../../core/reply.js';
import type { Scope } from '../../core/scope.js';
import { encodePath } from '../../core/section-id.js';
import { ApprovalStore } from '../../governance/approvals/approval-store.js';
import { noteOrigin } from '../../mcp/rendering/cautious-text.js';
import { canonicalArgument } from '../json-argument.js';
import { ListCursors, type ListPage, pageFrom } from '../list-pages.js';
import { RegisteredSchemasService } from '../schemas/registered-schemas.service.js';
import { projectOf } from '../work-space.js';
import {
  type Claim,
  type ClaimData,
  type ClaimDecision,
  laterEvidence,
  type LinkedEvidence,
  MAX_DECISIONS,
} from './claim.js';
import { ClaimStore, decisionsFull } from './claim-store.js';
import {
  type ClaimListOutput,
  type ClaimOutput,
  type CreateClaimInput,
  type DecideClaimInput,
  type EvidenceItem,
  type GetClaimInput,
  type LinkEvidenceInput,
  type ListClaimsInput,
  MAX_DATA_SIZE,
  MAX_PIECES,
} from './claims.schemas.js';
import { EvidenceCheckerService } from './evidence-checker.service.js';

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

function listedClaim(claim: Claim): ClaimListOutput['claims'][number] {
  const count = (stance: string): number => claim.evidence.filter((piece) => piece.stance === stance).length;
  return { ...claimFacts(claim), supports: count('supports'), contradicts: count('contradicts') };
}

/** The statement in its structured form. */
function shownData({ data }: Claim): Pick<ClaimOutput, 'schema' | 'data'> {
  return { schema: data && { ...data.schema }, data: data && (JSON.parse(data.json) as unknown) };
}

/** The decisions about a claim, in order. */
function shownDecisions({ decisions }: Claim): ClaimOutput['decisions'] {
  return decisions.map(({ verdict, reason, decidedBy, proposedBy, at }) => ({
    decision: verdict === 'accepted' ? 'accept' : 'reject',
    reason,
    decided_by: [...decidedBy],
    proposed_by: proposedBy,
    decided_at: timeOf(at),
  }));
}

function shownEvidence(call: Call, piece: LinkedEvidence): EvidenceItem {
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
interface EvidencePage extends ListPage<LinkedEvidence> {
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
function claimNotFound(): InvalidArgumentError {
  return new InvalidArgumentError('There is no claim with this id.', {
    reason: 'claim_not_found',
    hint: 'Call claim.list for the ids.',
  });
}

const ID_BYTES = 16;

/** @throws InvalidArgumentError `project_unknown` */
const scopeOf = (call: Call): Scope => ({ ...call.scope, ...projectOf(call) });

/** Makes, extends and reads claims. */
@Injectable()
export class ClaimsService {
  constructor(
    private readonly store: ClaimStore,
    private readonly checker: EvidenceCheckerService,
    private readonly schemas: RegisteredSchemasService,
    private readonly signing: ServerSecret,
  ) {}

  /**
   * @throws InvalidArgumentError `schema_not_found`, `schema_violation`, `schema_too_costly`, `json_invalid`, …; as
   *   `EvidenceCheckerService.check`. Nothing is stored then
   */
  async create(call: Call, input: CreateClaimInput): Promise<Reply<ClaimOutput>> {
    const { statement, evidence } = input;
    const data = await this.dataOf(call, input);
    const pieces = await this.checker.check(call, evidence);
    const claim = {
      id: randomBytes(ID_BYTES).toString('hex'),
      statement,
      data,
      createdBy: call.caller.principal,
    };
    return this.reply(call, await this.store.create(scopeOf(call), claim, pieces), null);
  }

  /** @throws InvalidArgumentError `claim_not_found`; BudgetExceededError `evidence_full`; as `create` */
  async link(call: Call, { claim_id, evidence }: LinkEvidenceInput): Promise<Reply<ClaimOutput>> {
    await this.find(call, claim_id);
    const pieces = await this.checker.check(call, evidence);
    const claim = await this.store.link(scopeOf(call), claim_id, pieces);
    if (!claim) throw claimNotFound();
    return this.reply(call, claim, null);
  }

  /** @throws InvalidArgumentError `claim_not_found`, or for a bad cursor */
  async get(call: Call, { claim_id, cursor }: GetClaimInput): Promise<Reply<ClaimOutput>> {
    return this.reply(call, await this.find(call, claim_id), cursor);
  }

  /** @throws InvalidArgumentError for a bad cursor */
  async list(call: Call, { state, limit, cursor }: ListClaimsInput): Promise<Reply<ClaimListOutput>> {
    const { secret } = this.signing;
    const { principal } = call.caller;
    const binding = { question: ['claim.list', state, call.scope], principal, generation: '' };
    const before = cursor ? decodeCursor(cursor, binding, secret) : null;
    const found = await this.store.list(scopeOf(call), {
      ...(state === undefined ? {} : { state }),
      ...(before === null ? {} : { before }),
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    return listReply({ count: page.length, maxChars: 0, isPage: true }, (fit) => {
      const hasMore = fit.count < found.length;
      const last = page[fit.count - 1]?.position ?? before ?? 0;
      return {
        claims: keptOf(page, fit).map(listedClaim),
        partial: hasMore || fit.reason !== null,
        limit_reason: fit.reason ?? (hasMore ? 'page_size' : 'none'),
        next_cursor: hasMore ? encodeCursor(last, binding, secret) : null,
        ...shownSkipped(fit),
      };
    });
  }

  /** @throws InvalidArgumentError `claim_not_found` */
  async find(call: Call, id: string): Promise<Claim> {
    const claim = await this.store.get(scopeOf(call), id);
    if (!claim) throw claimNotFound();
    return claim;
  }

  /** One page of the evidence of a claim, with the claim. */
  reply(call: Call, claim: Claim, cursor: string | null | undefined): Reply<ClaimOutput> {
    const { secret } = this.signing;
    const page = evidencePage(call, claim, { tool: 'claim.get', cursor, secret });
    return page.cursors.reply(page, (pieces, fields) => ({
      ...claimFacts(claim),
      ...shownData(claim),
      decisions: shownDecisions(claim),
      evidence_total: claim.evidence.length,
      evidence: pieces.map((piece) => shownEvidence(call, piece)),
      ...fields,
    }));
  }

  private async dataOf(call: Call, { schema, data }: CreateClaimInput): Promise<ClaimData | null> {
    if (schema === undefined || data === undefined) return null;
    const json = canonicalArgument(data, 'data', MAX_DATA_SIZE);
    const { name, version = null } = schema;
    const value = { what: 'data', text: json, advice: 'Make the claim again with data that fits.' };
    return { schema: await this.schemas.check(call, { name, version }, value), json };
  }
}

type Approved = Pick<ClaimDecision, 'approvalId' | 'decidedBy' | 'approvedAt'>;

/** Records decisions that operators have approved. */
@Injectable()
export class ClaimDecisionsService {
  constructor(
    private readonly claims: ClaimsService,
    private readonly store: ClaimStore,
    private readonly approvals: ApprovalStore,
  ) {}

  /** @throws InvalidArgumentError `claim_not_found`, `statement_differs`, `data_differs`; BudgetExceededError `decisions_full` */
  async check(call: Call, input: DecideClaimInput): Promise<void> {
    const claim = await this.claims.find(call, input.claim_id);
    checkIsSame(claim, input);
    if (claim.decisions.length >= MAX_DECISIONS) throw decisionsFull();
  }

  /** @throws as `check`; ScopeViolationError `approval_required` */
  async decide(call: Call, input: DecideClaimInput): Promise<Reply<ClaimOutput>> {
    const approval = await this.approvalOf(call);
    await this.check(call, input);
    const claim = await this.store.decide(call.scope, input.claim_id, {
      verdict: input.decision === 'accept' ? 'accepted' : 'rejected',
      reason: input.reason,
      proposedBy: call.caller.principal,
      ...approval,
    });
    if (!claim) throw claimNotFound();
    return this.claims.reply(call, claim, null);
  }

  /** The operators who approved this call. The approval stage requires an approval; it is checked again here. */
  private async approvalOf({ id, decisions }: Call): Promise<Approved> {
    const { approvalId } = decisions;
    const approval = approvalId === null ? null : await this.approvals.get(approvalId);
    const granted = approval?.decisions.filter(({ verdict }) => verdict === 'approved') ?? [];
    const isOperators = granted.length > 0 && granted.every(({ via }) => via !== 'host');
    if (approvalId === null || approval?.usedBy !== id || !isOperators)
      throw new ScopeViolationError('An operator has to approve this decision.', {
        reason: APPROVAL_REQUIRED,
        hint: 'Call claim.decide again; an operator decides at /admin/approvals.',
      });
    const approvedAt = Math.min(...granted.map(({ at }) => at));
    return { approvalId, decidedBy: granted.map(({ by }) => by), approvedAt };
  }
}

/** The operator has read the statement and the data of the call. */
function checkIsSame({ statement, data }: Claim, sent: DecideClaimInput): void {
  if (statement !== sent.statement)
    throw new InvalidArgumentError('The claim has another statement.', {
      reason: 'statement_differs',
      hint: 'Copy the statement from claim.get.',
    });
  const json = sent.data === undefined ? null : canonicalArgument(sent.data, 'data', MAX_DATA_SIZE);
  if (json !== (data && data.json))
    throw new InvalidArgumentError(data ? 'The claim has other data.' : 'The claim has no data.', {
      reason: 'data_differs',
      hint: 'Copy data from claim.get, or leave it out if it is null there.',
    });
}
