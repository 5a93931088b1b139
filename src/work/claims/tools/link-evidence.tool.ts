import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { claimOutput, linkEvidenceInput } from '../claims.schemas.js';
import { ClaimsService } from '../claims.service.js';
import { CLAIM_RENDERING, CLAIM_TOOL, RETURNS_CLAIM } from './claim-tools.js';

export const linkEvidenceTool = defineTool({
  ...CLAIM_TOOL,
  standsFor: RETURNS_CLAIM,
  name: 'claim.link_evidence',
  title: 'Add evidence to a claim',
  description:
    'Use when you found quotes that support or contradict a claim. ' +
    'Do not use when the claim has another statement: call claim.create. ' +
    'Returns at most the claim with its first 20 pieces of evidence (24 KB). A piece that is linked already is not added again. ' +
    'If you need more, call claim.get. ' +
    'Defaults: stance supports. Max: 20 pieces.',
  input: linkEvidenceInput,
  output: claimOutput,
  safety: 'write',
  isAdditive: true,
  isRepeatable: true,
  checkReady: ({ call, input, service }) => service(ClaimsService).find(call, input.claim_id),
  rendering: CLAIM_RENDERING,
});

export const LinkEvidenceTool = toolController(ClaimsService, linkEvidenceTool, (service, call, input) =>
  service.link(call, input),
);
