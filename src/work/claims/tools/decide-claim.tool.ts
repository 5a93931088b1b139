import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { ClaimDecisionsService } from '../claim-decisions.service.js';
import { claimOutput, decideClaimInput } from '../claims.schemas.js';
import { CLAIM_RENDERING, CLAIM_TOOL, RETURNS_CLAIM } from './claim-tools.js';

export const decideClaimTool = defineTool({
  ...CLAIM_TOOL,
  standsFor: RETURNS_CLAIM,
  name: 'claim.decide',
  title: 'Have a claim decided',
  description:
    'Use when an operator should accept or reject a claim: the first call asks, and the same call succeeds after the operator has approved it. ' +
    'Do not use when you only want to add evidence: call claim.link_evidence. ' +
    'Returns at most the claim with all decisions, the last of which counts, and 20 pieces of evidence (24 KB). ' +
    'If you need more, call claim.get. ' +
    'Defaults: none. Max: 50 decisions of a claim.',
  input: decideClaimInput,
  output: claimOutput,
  safety: 'write',
  approver: 'operator',
  checkReady: ({ call, input, service }) => service(ClaimDecisionsService).check(call, input),
  rendering: CLAIM_RENDERING,
});

export const DecideClaimTool = toolController(
  ClaimDecisionsService,
  decideClaimTool,
  (service, call, input) => service.decide(call, input),
);
