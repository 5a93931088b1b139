import { defineTool } from '../../../mcp/define-tool.js';
import { QUOTE_STANDING } from '../../../mcp/tool-class.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { getClaimInput, verifyClaimOutput } from '../claims.schemas.js';
import { verifiedClaimSummary, verifiedClaimText, verifiedRefs } from '../render-claims.js';
import { VerificationService } from '../verification.service.js';
import { CLAIM_TOOL, RETURNS_CLAIM } from './claim-tools.js';

export const verifyClaimTool = defineTool({
  ...CLAIM_TOOL,
  standsFor: [...RETURNS_CLAIM, QUOTE_STANDING],
  name: 'claim.verify',
  title: 'Check the evidence of a claim',
  description:
    'Use when the documents may have changed since a claim was made: says for each piece of evidence if its text holds, moved, changed (with both texts) or is gone. ' +
    'Do not use when the quotes belong to no claim: call kb.verify. ' +
    'Returns at most 20 pieces (24 KB). ' +
    'If you need more, call claim.verify with next_cursor. ' +
    'Defaults: first page. Max: 20 pieces.',
  input: getClaimInput,
  output: verifyClaimOutput,
  rendering: {
    full: verifiedClaimText,
    summary: verifiedClaimSummary,
    refs: verifiedRefs,
  },
});

export const VerifyClaimTool = toolController(VerificationService, verifyClaimTool, (service, call, input) =>
  service.verifyClaim(call, input),
);
