import { Module } from '@nestjs/common';
import { ScratchModule } from '../../scratch/scratch.module.js';
import { SchemasModule } from '../schemas/schemas.module.js';
import { ClaimDecisionsService } from './claim-decisions.service.js';
import { ClaimsService } from './claims.service.js';
import { EvidenceCheckerService } from './evidence/evidence-checker.service.js';
import { QuoteVerifierService } from './evidence/quote-verifier.service.js';
import { CreateClaimTool } from './tools/create-claim.tool.js';
import { DecideClaimTool } from './tools/decide-claim.tool.js';
import { GetClaimTool } from './tools/get-claim.tool.js';
import { LinkEvidenceTool } from './tools/link-evidence.tool.js';
import { ListClaimsTool } from './tools/list-claims.tool.js';
import { VerifyClaimTool } from './tools/verify-claim.tool.js';
import { VerifyQuotesTool } from './tools/verify-quotes.tool.js';
import { VerificationService } from './verification.service.js';

export const CLAIM_TOOLS = [
  CreateClaimTool,
  LinkEvidenceTool,
  GetClaimTool,
  ListClaimsTool,
  VerifyClaimTool,
  DecideClaimTool,
  VerifyQuotesTool,
];

@Module({
  imports: [ScratchModule, SchemasModule],
  controllers: CLAIM_TOOLS,
  providers: [
    QuoteVerifierService,
    EvidenceCheckerService,
    ClaimsService,
    ClaimDecisionsService,
    VerificationService,
  ],
})
export class ClaimsModule {}
