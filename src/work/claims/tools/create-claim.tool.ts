import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { claimOutput, createClaimInput } from '../claims.schemas.js';
import { ClaimsService } from '../claims.service.js';
import { CLAIM_RENDERING, CLAIM_TOOL, RETURNS_CLAIM } from './claim-tools.js';

export const createClaimTool = defineTool({
  ...CLAIM_TOOL,
  standsFor: RETURNS_CLAIM,
  name: 'claim.create',
  title: 'Make a claim',
  description:
    'Use when you state something that should be checked against the documents later, with the quotes that it rests on. ' +
    'Do not use when you only answer a question: quote kb.retrieve_evidence. ' +
    'Returns at most the claim with its id and 20 pieces of evidence (24 KB). A quote that is not in its section is refused, and nothing is stored. ' +
    'If you need more, call claim.link_evidence. ' +
    'Defaults: stance supports, no schema. Max: 20 pieces, data 2048 bytes.',
  input: createClaimInput,
  output: claimOutput,
  safety: 'write',
  isAdditive: true,
  standsForIf: { schema: ['schema.validate'] },
  rendering: CLAIM_RENDERING,
});

export const CreateClaimTool = toolController(ClaimsService, createClaimTool, (service, call, input) =>
  service.create(call, input),
);
