import { Param, Query } from '@nestjs/common';
import { AdminController, HtmlPage, SignedIn } from '../../admin/admin.guard.js';
import { ServerFacts } from '../../admin/admin-parts.js';
import { notOfferedPage } from '../../admin/pages/failure-page.js';
import { newTrace } from '../../core/call.js';
import type { Scope } from '../../core/scope.js';
import type { Principal } from '../../mcp/principals.js';
import { ScopeService } from '../../scope/scope.service.js';
import { ClaimStore } from './claim-store.js';
import {
  type CheckedPiece,
  claimPage,
  claimsPage,
  noClaim,
  parseClaimId,
  parseClaimsQuery,
  parseEvidencePlace,
} from './claims-page.js';
import { QuoteVerifierService } from './quote-verifier.service.js';

const ROWS = 25;
/** Pieces of evidence of a page; each is looked for in the index. */
const PIECES = 20;
/** Longest time for checking the evidence of a page (ms). */
const PATIENCE_MS = 20_000;

/** Pages about claims. They change nothing: operators decide at /admin/approvals. */
@AdminController('admin/claims')
export class ClaimsController {
  constructor(
    private readonly server: ServerFacts,
    private readonly store: ClaimStore,
    private readonly quotes: QuoteVerifierService,
    private readonly scopes: ScopeService,
  ) {}

  @HtmlPage()
  async list(@Query() given: unknown, @SignedIn() operator: Principal): Promise<string> {
    const query = parseClaimsQuery(given);
    const { frame } = this.server;
    if (!this.areOffered)
      return notOfferedPage({ title: 'Claims', place: '/admin/claims', domain: 'claim' }, frame);
    const { state, before } = query;
    const found = await this.store.list(await this.scopeOf(operator), {
      ...(state === undefined ? {} : { state }),
      ...(before === undefined ? {} : { before }),
      limit: ROWS + 1,
    });
    const claims = found.slice(0, ROWS);
    const older = found.length > ROWS ? (claims.at(-1)?.position ?? null) : null;
    return claimsPage({ claims, older }, query, frame);
  }

  @HtmlPage(':id')
  async one(
    @Param('id') id: string,
    @Query() given: unknown,
    @SignedIn() operator: Principal,
  ): Promise<string> {
    const after = parseEvidencePlace(given);
    const scope = await this.scopeOf(operator);
    const claim = this.areOffered ? await this.store.get(scope, parseClaimId(id)) : null;
    if (!claim) throw noClaim();
    const pieces = await this.checked(scope, claim.evidence.slice(after, after + PIECES));
    return claimPage({ claim, pieces, after }, this.server.frame);
  }

  private get areOffered(): boolean {
    return this.server.config.domains.offered.includes('claim');
  }

  private scopeOf({ scope }: Principal): Promise<Scope> {
    return this.scopes.resolve(undefined, this.server.now(), scope);
  }

  private async checked(
    scope: Scope,
    pieces: readonly CheckedPiece['piece'][],
  ): Promise<readonly CheckedPiece[]> {
    const held = pieces.map(({ quote, sectionId, path, start }) => ({ text: quote, sectionId, path, start }));
    const reader = { scope, signal: AbortSignal.timeout(PATIENCE_MS), trace: newTrace() };
    const standings = await this.quotes.verify(reader, held);
    return pieces.flatMap((piece, i) => {
      const standing = standings[i];
      return standing ? [{ piece, standing }] : [];
    });
  }
}
