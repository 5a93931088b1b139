import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import type { Call } from '../../core/call.js';
import { keptOf, listReply, type Reply, shownSkipped } from '../../core/reply.js';
import { decodePath, encodePath } from '../../core/section-id.js';
import { noteOrigin } from '../../mcp/rendering/cautious-text.js';
import type {
  GetClaimInput,
  QuoteStanding,
  VerifyClaimOutput,
  VerifyQuotesInput,
  VerifyQuotesOutput,
} from './claims.schemas.js';
import { claimFacts, ClaimsService, evidencePage } from './claims.service.js';
import { QuoteVerifierService } from './quote-verifier.service.js';

/** Says if quotes still stand, those of a claim and those that a caller sends. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly claims: ClaimsService,
    private readonly quotes: QuoteVerifierService,
    private readonly signing: ServerSecret,
  ) {}

  /** @throws InvalidArgumentError `claim_not_found`, or for a bad cursor */
  async verifyClaim(call: Call, { claim_id, cursor }: GetClaimInput): Promise<Reply<VerifyClaimOutput>> {
    const claim = await this.claims.find(call, claim_id);
    const { secret } = this.signing;
    const page = evidencePage(call, claim, { tool: 'claim.verify', cursor, secret });
    const held = page.items.map(({ quote, sectionId, path, start }) => ({
      text: quote,
      sectionId,
      path,
      start,
    }));
    const standings = await this.quotes.verify(call, held);
    const items = page.items.flatMap((piece, i) => {
      const standing = standings[i];
      noteOrigin(call, piece, [piece.id]);
      const { id: evidence_id, stance, quote } = piece;
      return standing ? [{ evidence_id, stance, quote, ...shownStanding(standing) }] : [];
    });
    return page.cursors.reply({ ...page, items }, (evidence, fields) => ({
      ...claimFacts(claim),
      evidence_total: claim.evidence.length,
      evidence,
      ...fields,
    }));
  }

  async verifyQuotes(call: Call, { quotes }: VerifyQuotesInput): Promise<Reply<VerifyQuotesOutput>> {
    const held = quotes.map(({ quote, section_id = null, path, start_char = null }) => ({
      text: quote,
      sectionId: section_id,
      path: decodePath(path ?? section_id?.replace(/#[^#]*$/, '') ?? ''),
      start: start_char,
    }));
    const standings = await this.quotes.verify(call, held);
    const items = standings.map((standing, i) => ({ number: i + 1, ...shownStanding(standing) }));
    return listReply({ count: items.length, maxChars: 0 }, (fit) => ({
      quotes: keptOf(items, fit),
      partial: fit.reason !== null,
      limit_reason: fit.reason ?? 'none',
      ...shownSkipped(fit),
    }));
  }
}

function shownStanding({ place, ...standing }: QuoteStanding): QuoteStanding {
  return { ...standing, ...(place ? { place: { ...place, path: encodePath(place.path) } } : {}) };
}
