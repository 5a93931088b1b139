import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { verifyQuotesInput, verifyQuotesOutput } from '../claims.schemas.js';
import { standingRefs, verifiedQuotesSummary, verifiedQuotesText } from '../render-claims.js';
import { VerificationService } from '../verification.service.js';
import { CLAIM_TOOL } from './claim-tools.js';

export const verifyQuotesTool = defineTool({
  ...CLAIM_TOOL,
  name: 'kb.verify',
  title: 'Check quotes',
  description:
    'Use when you hold quotes from earlier and the documents may have changed: says for each if its text holds, moved, changed (with both texts) or is gone. ' +
    'Do not use when the quotes are evidence of a claim: call claim.verify; or of a named corpus, which is not searched: call knowledge.kb_query. ' +
    'Returns at most 20 quotes, each with its state and place (24 KB). ' +
    'If you need more, call kb.verify with the other quotes. ' +
    'Defaults: anywhere in the section without start_char. Max: 20 quotes.',
  input: verifyQuotesInput,
  output: verifyQuotesOutput,
  mounts: ['documents'],
  rendering: {
    full: verifiedQuotesText,
    summary: verifiedQuotesSummary,
    refs: ({ quotes }) => standingRefs(quotes),
  },
});

export const VerifyQuotesTool = toolController(
  VerificationService,
  verifyQuotesTool,
  (service, call, input) => service.verifyQuotes(call, input),
);
