import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { claimOutput, getClaimInput } from '../claims.schemas.js';
import { ClaimsService } from '../claims.service.js';
import { CLAIM_RENDERING, CLAIM_TOOL } from './claim-tools.js';

export const getClaimTool = defineTool({
  ...CLAIM_TOOL,
  name: 'claim.get',
  title: 'Read a claim',
  description:
    'Use when you need a claim with its evidence and the decisions about it. ' +
    'Do not use when you want to know if its quotes still stand: call claim.verify. ' +
    'Returns at most 20 pieces of evidence, as they were linked (24 KB). ' +
    'If you need more, call claim.get with next_cursor. ' +
    'Defaults: first page. Max: 20 pieces.',
  input: getClaimInput,
  output: claimOutput,
  rendering: CLAIM_RENDERING,
});

export const GetClaimTool = toolController(ClaimsService, getClaimTool, (service, call, input) =>
  service.get(call, input),
);
