import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import type { Call } from '../../core/call.js';
import { decodeCursor, encodeCursor } from '../../core/cursor.js';
import { keptOf, listReply, type Reply, shownSkipped } from '../../core/reply.js';
import type { Scope } from '../../core/scope.js';
import { canonicalArgument } from '../json-argument.js';
import { projectOf } from '../project-of.js';
import { RegisteredSchemasService } from '../schemas/registered-schemas.service.js';
import type { Claim, ClaimData } from './claim.js';
import {
  claimFacts,
  claimNotFound,
  evidencePage,
  listedClaim,
  shownData,
  shownDecisions,
  shownEvidence,
} from './claim-reply.js';
import { ClaimStore } from './claim-store.js';
import {
  type ClaimListOutput,
  type ClaimOutput,
  type CreateClaimInput,
  type GetClaimInput,
  type LinkEvidenceInput,
  type ListClaimsInput,
  MAX_DATA_SIZE,
} from './claims.schemas.js';
import { EvidenceCheckerService } from './evidence/evidence-checker.service.js';

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
