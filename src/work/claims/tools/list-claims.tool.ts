import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { claimListOutput, listClaimsInput, MAX_LISTED_CLAIMS } from '../claims.schemas.js';
import { ClaimsService } from '../claims.service.js';
import { claimListText, listedRefs } from '../render-claims.js';
import { CLAIM_TOOL } from './claim-tools.js';

export const listClaimsTool = defineTool({
  ...CLAIM_TOOL,
  name: 'claim.list',
  title: 'List claims',
  description:
    'Use when you look for the claims of this project, all or those in one state. ' +
    'Do not use when you know the id: call claim.get. ' +
    `Returns at most ${MAX_LISTED_CLAIMS} claims, latest first, with the number of pieces that support and contradict each (24 KB). ` +
    'If you need more, call claim.list with next_cursor. ' +
    `Defaults: limit 20, all states. Max: ${MAX_LISTED_CLAIMS}.`,
  input: listClaimsInput,
  output: claimListOutput,
  standsFor: [],
  rendering: {
    full: claimListText,
    summary: ({ claims }) => `${claims.length} claims.`,
    refs: listedRefs,
  },
});

export const ListClaimsTool = toolController(ClaimsService, listClaimsTool, (service, call, input) =>
  service.list(call, input),
);
