import { DOCUMENT_TEXT, type Mount, WHOLE_CLAIM } from '../../../mcp/tool-class.js';
import { claimRefs, claimSummary, claimText } from '../render-claims.js';

const MOUNTS: readonly Mount[] = ['work', 'documents'];

/** Common parts of all claim tools: they return text of documents. */
export const CLAIM_TOOL = {
  feature: 'claim',
  isCore: false,
  permission: 'read',
  mounts: MOUNTS,
  standsFor: DOCUMENT_TEXT,
  budget: { bytes: 24_576, tokens: 8_000 },
} as const;

/** The tools that a tool stands for if it returns a claim. */
export const RETURNS_CLAIM: readonly string[] = [...DOCUMENT_TEXT, WHOLE_CLAIM];

/** The text of a claim with evidence. */
export const CLAIM_RENDERING = {
  full: claimText,
  summary: claimSummary,
  refs: claimRefs,
} as const;
