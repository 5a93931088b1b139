import type { ModuleRef } from '@nestjs/core';
import type { ConsolePages } from '../admin/console.pages.js';
import { Config } from '../config/config.js';
import type { Domain } from '../config/settings/domains.config.js';
import { KbModule } from '../kb/kb.module.js';
import { ScratchModule } from '../scratch/scratch.module.js';
import { ClaimsController } from './claims/claims.controller.js';
import { EvidenceCheckerService } from './claims/evidence-checker.service.js';
import { QuoteVerifierService } from './claims/quote-verifier.service.js';
import { CorporaController } from './corpora/corpora.controller.js';
import { GapStatementService } from './questions/gap-statement.service.js';
import { GapParts, GapsController } from './questions/gaps.controller.js';
import { GapsService } from './questions/gaps.service.js';
import { UsageService } from './questions/usage.service.js';
import { ManifestFilesService } from './substrate/manifests/manifest-files.service.js';
import { PointersController } from './substrate/pointers/pointers.controller.js';

const offers =
  (domain: Domain) =>
  (app: ModuleRef): boolean =>
    app.get<Config>(Config, { strict: false }).domains.offered.includes(domain);

const keepsQuestions = (app: ModuleRef): boolean =>
  app.get<Config>(Config, { strict: false }).questions.mode === 'on';

/** The pages about questions, and about the work of agents. */
export const WORK_PAGES: ConsolePages = {
  menu: [
    { href: '/admin/gaps', name: 'Gaps', rank: 1.5, isUsed: keepsQuestions },
    { href: '/admin/claims', name: 'Claims', rank: 4, isUsed: offers('claim') },
    { href: '/admin/corpora', name: 'Corpora', rank: 5, isUsed: offers('knowledge') },
    { href: '/admin/pointers', name: 'Pointers', rank: 6, isUsed: offers('substrate') },
  ],
  checks: [],
  imports: [KbModule, ScratchModule],
  controllers: [GapsController, ClaimsController, CorporaController, PointersController],
  providers: [
    ...[QuoteVerifierService, ManifestFilesService],
    ...[EvidenceCheckerService, GapsService, GapStatementService, UsageService, GapParts],
  ],
};
