import { restLines } from '../core/reply.js';
import { defineTool } from '../mcp/define-tool.js';
import { toolController } from '../mcp/tool-controller.js';
import { NO_FENCE, type TextFence } from '../text/untrusted-text.js';
import {
  listScratchInput,
  listScratchOutput,
  MAX_LISTED_PASSAGES,
  type ScratchListing,
} from './list-scratch.schemas.js';
import { ListScratchService } from './list-scratch.service.js';

export const listScratchTool = defineTool({
  name: 'scratch.list',
  title: 'Passages at hand',
  description:
    'Use when you have lost the passage_ids of this session. ' +
    'Do not use when you look for something new: call kb.retrieve_evidence or kb.search. ' +
    `Returns at most ${MAX_LISTED_PASSAGES} passages, latest first: id, title, size, seconds until it expires (12 KB). ` +
    'If you need more, call kb.read_excerpt with a passage_id. ' +
    `Defaults: limit ${MAX_LISTED_PASSAGES}. Max: ${MAX_LISTED_PASSAGES}.`,
  input: listScratchInput,
  output: listScratchOutput,
  feature: 'always',
  isCore: false,
  permission: 'read',
  mounts: ['scratch'],
  budget: { bytes: 12_288, tokens: 5_000 },
  rendering: {
    full: listingText,
    summary: ({ passages }) => `${passages.length} passages in this session.`,
  },
});

function listingText({ passages, ...rest }: ScratchListing, fence: TextFence = NO_FENCE): string {
  if (passages.length === 0) return 'No passages in this session yet.';
  const lines = passages.map(
    ({ passage_id, title, size_bytes, expires_in_s }) =>
      `${passage_id} ${title} (${size_bytes} bytes, ${expires_in_s} s left)`,
  );
  const ids = passages.map(({ passage_id }) => passage_id);
  return [fence(ids, lines.join('\n')), ...restLines(rest)].join('\n');
}

export const ListScratchTool = toolController(
  ListScratchService,
  listScratchTool,
  (service, call, { limit }) => service.list(call, limit),
);
