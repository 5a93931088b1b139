import { Module } from '@nestjs/common';
import { ScratchModule } from '../../scratch/scratch.module.js';
import { SchemasModule } from '../schemas/schemas.module.js';
import { ClaimDecisionsService } from './claim-decisions.service.js';
import { ClaimsService } from './claims.service.js';
import { CLAIM_TOOLS } from './claims.tools.js';
import { EvidenceCheckerService } from './evidence-checker.service.js';
import { QuoteVerifierService } from './quote-verifier.service.js';
import { VerificationService } from './verification.service.js';

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
