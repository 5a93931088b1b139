import { DOCUMENT_TEXT, type Mount, QUOTE_STANDING, WHOLE_CLAIM } from '../../mcp/tool-class.js';
import { answeredTool } from '../../mcp/tool-controller.js';
import {
  claimListOutput,
  claimOutput,
  createClaimInput,
  decideClaimInput,
  getClaimInput,
  linkEvidenceInput,
  listClaimsInput,
  MAX_LISTED_CLAIMS,
  verifyClaimOutput,
  verifyQuotesInput,
  verifyQuotesOutput,
} from './claims.schemas.js';
import { ClaimDecisionsService, ClaimsService } from './claims.service.js';
import {
  claimListText,
  claimRefs,
  claimSummary,
  claimText,
  listedRefs,
  standingRefs,
  verifiedClaimSummary,
  verifiedClaimText,
  verifiedQuotesSummary,
  verifiedQuotesText,
  verifiedRefs,
} from './render-claims.js';
import { VerificationService } from './verification.service.js';

const MOUNTS: readonly Mount[] = ['work', 'documents'];

/** Common parts of all claim tools: they return text of documents. */
const CLAIM_TOOL = {
  feature: 'claim',
  isCore: false,
  permission: 'read',
  mounts: MOUNTS,
  standsFor: DOCUMENT_TEXT,
  budget: { bytes: 24_576, tokens: 8_000 },
} as const;

/** The tools that a tool stands for if it returns a claim. */
const RETURNS_CLAIM: readonly string[] = [...DOCUMENT_TEXT, WHOLE_CLAIM];

/** The text of a claim with evidence. */
const CLAIM_RENDERING = {
  full: claimText,
  summary: claimSummary,
  refs: claimRefs,
} as const;

/** The tools of claims, in the order of the tool list. */
export const CLAIM_TOOLS = [
  answeredTool(ClaimsService, {
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
    answer: (service, call, input) => service.create(call, input),
  }),
  answeredTool(ClaimsService, {
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
    answer: (service, call, input) => service.link(call, input),
  }),
  answeredTool(ClaimsService, {
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
    answer: (service, call, input) => service.get(call, input),
  }),
  answeredTool(ClaimsService, {
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
    answer: (service, call, input) => service.list(call, input),
  }),
  answeredTool(VerificationService, {
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
    answer: (service, call, input) => service.verifyClaim(call, input),
  }),
  answeredTool(ClaimDecisionsService, {
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
    answer: (service, call, input) => service.decide(call, input),
  }),
  answeredTool(VerificationService, {
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
    answer: (service, call, input) => service.verifyQuotes(call, input),
  }),
];
