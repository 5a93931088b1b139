import { z } from 'zod';
import { InvalidArgumentError } from '../../core/errors.js';
import type { StoredSection } from '../../core/ports/section-index.port.js';
import { keptOf, listReply } from '../../core/reply.js';
import { indexChanged } from '../../graph/index-changed.js';
import { DOCUMENT_TEXT } from '../../mcp/tool-class.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { clipToBytes, wholeOffset } from '../../text/span.js';
import { shownTitle } from '../../text/untrusted-text.js';
import { DEFAULT_FIELDS, projectNode } from '../graph/legacy-node.js';
import {
  anyInt,
  envelopeShape,
  legacyIdsSchema,
  legacyNodeSchema,
  sessionIdSchema,
} from '../legacy.schemas.js';
import { graphOffError, sessionName, withEnvelope } from '../legacy-envelope.js';
import { legacyTool } from '../legacy-tool.js';

/** Maximum bytes of a text in a bundle, and the meaning of `max_bytes_per: 0`. */
const DEFAULT_BYTES = 16_384;
const HINTS = { next_tools: ['expand_neighbors', 'describe_nodes'] };

const textRowSchema = z.strictObject({
  section_id: z.string(),
  title: z.string(),
  doc_tag: z.string(),
  /** The start of the text; all of it if `truncated` is false. */
  text_truncated: z.string(),
  /** Of this text, in UTF-8. */
  bytes: z.int(),
  truncated: z.boolean(),
  source_blob_id: z.null(),
});

/** @param maxChars  in UTF-16 units */
function toTextRow(
  { section, document }: StoredSection,
  maxBytes: number,
  maxChars: number,
): z.output<typeof textRowSchema> {
  const end = wholeOffset(section.text, Math.min(maxChars, clipToBytes(section.text, maxBytes)));
  const text = section.text.slice(0, end);
  return {
    section_id: section.id,
    title: shownTitle(section.title),
    doc_tag: document.docTag,
    text_truncated: text,
    bytes: Buffer.byteLength(text),
    truncated: end < section.text.length,
    source_blob_id: null,
  };
}

/** Length of the longest text, in UTF-16 units. */
function longestOf(found: readonly StoredSection[]): number {
  return found.reduce((most, { section }) => Math.max(most, section.text.length), 0);
}

export const legacySectionText = legacyTool({
  name: 'get_section_text',
  title: 'Read sections (older name)',
  description:
    'Legacy name of kb.read_excerpt; prefer kb.read_excerpt, which reads by passage_id and in steps. ' +
    'Returns the start of each section, max_bytes_per bytes of it (8192, at most 32768), in the order asked for.',
  input: z.object({
    section_ids: legacyIdsSchema,
    max_bytes_per: anyInt.default(8_192),
    session_id: sessionIdSchema,
  }),
  output: z.strictObject({
    results: z.array(textRowSchema),
    hints: z.strictObject({ next_tools: z.array(z.string()) }),
    ...envelopeShape,
  }),
  mounts: ['documents'],
  standsFor: DOCUMENT_TEXT,
  counted: [({ results }) => results.length, 'sections'],

  answer: async (from, call, { section_ids, max_bytes_per, session_id }) => {
    if (max_bytes_per < 0) {
      throw new InvalidArgumentError('max_bytes_per is negative.', {
        reason: 'invalid_input',
        hint: 'Send 1 to 32768, or leave it out.',
      });
    }
    const maxBytes = Math.min(max_bytes_per || DEFAULT_BYTES, from.limits.maxTextBytesPerCall);
    const { sections } = await from.sectionsInScope(call, section_ids);
    const sessionId = sessionName(call, session_id);
    const reply = listReply({ count: sections.length, maxChars: longestOf(sections) }, (fit) => {
      const results = keptOf(sections, fit).map((stored) => toTextRow(stored, maxBytes, fit.maxChars));
      const payload = { results, hints: HINTS };
      return withEnvelope({ sessionId, payload, phase: 'snippets', reason: fit.reason });
    });
    return {
      ...reply,
      cutBy: ({ results }) => (results.some(({ truncated }) => truncated) ? 'byte_cap' : 'none'),
    };
  },
});

export const legacyContextBundle = legacyTool({
  name: 'compute_context_bundle',
  title: 'Gather context (older name)',
  description:
    'Legacy name of kb.retrieve_evidence, in bulk; prefer kb.retrieve_evidence. ' +
    'Returns facts about the seeds and the first 16 KB of the text of each; strategy is echoed, and token_budget limits nothing, as it never did.',
  input: z.object({
    seeds: legacyIdsSchema,
    strategy: z.string().max(64).default('hybrid'),
    token_budget: anyInt.default(2_000),
  }),
  output: z.strictObject({
    bundle: z.strictObject({
      nodes: z.array(legacyNodeSchema.partial()),
      snippets: z.array(textRowSchema),
      strategy: z.string(),
    }),
    usage: z.strictObject({ tokens: z.int(), bytes: z.int() }),
    ...envelopeShape,
  }),
  mounts: ['documents', 'graph'],
  standsFor: [...DOCUMENT_TEXT, 'graph.expand'],
  counted: [({ bundle }) => bundle.snippets.length, 'texts'],

  answer: async (from, call, { seeds, strategy }) => {
    const { graph } = from;
    if (!graph) throw graphOffError();
    const [described, { generation, sections }] = await Promise.all([
      seeds.length > 0 ? graph.describe(call, [...new Set(seeds)]) : null,
      from.sectionsInScope(call, seeds),
    ]);
    if (described && described.generation !== generation) throw indexChanged();
    const nodes = described?.nodes ?? [];
    const start = { count: Math.max(nodes.length, sections.length), maxChars: longestOf(sections) };
    return listReply(start, (fit) => {
      const { maxChars, reason } = fit;
      const bundle = {
        nodes: keptOf(nodes, fit).map((node) => projectNode(node, DEFAULT_FIELDS)),
        snippets: keptOf(sections, fit).map((stored) => toTextRow(stored, DEFAULT_BYTES, maxChars)),
        strategy,
      };
      const json = JSON.stringify(bundle);
      const usage = { tokens: estimateTokens(json), bytes: Buffer.byteLength(json) };
      // No share applies, so it is partial only if the response budget removed something.
      return withEnvelope({ sessionId: sessionName(call), payload: { bundle, usage }, phase: null, reason });
    });
  },
});
