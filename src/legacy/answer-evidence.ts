import { z } from 'zod';
import { nodeId } from '../core/node-id.js';
import type { GraphNode } from '../core/ports/graph-store.port.js';
import type { Candidate } from '../core/ports/section-index.port.js';
import type { ReadRanking } from '../kb/evidence/choose-evidence.js';
import { selectPreview } from '../kb/search/preview.js';
import { estimateTokens } from '../text/estimate-tokens.js';
import { fitTokens } from '../text/fit-tokens.js';
import { clipToBytes, wholeOffset } from '../text/span.js';
import { sectionTitle, shownAnchor, shownTitle } from '../text/untrusted-text.js';
import { labelOf } from './graph/legacy-node.js';

export const answerEvidenceSchema = z.strictObject({
  section_id: z.string(),
  node_id: z.string(),
  node_label: z.string(),
  snippet: z.string(),
  path: z.string(),
  confidence: z.number(),
  title: z.string(),
  full_text: z.string(),
  metadata: z.strictObject({
    document_id: z.string(),
    level: z.int().nullable(),
    anchor: z.string().nullable(),
    tokens: z.int(),
  }),
  related_entities: z.array(
    z.strictObject({
      entity_id: z.string(),
      label: z.string(),
      name: z.string(),
      relationship: z.string(),
      confidence: z.number(),
    }),
  ),
  related_sections: z.array(z.never()),
});
export type AnswerEvidence = z.output<typeof answerEvidenceSchema>;

/** Facts from the graph about a section. */
export interface SectionLinks {
  readonly level: number | null;
  readonly entities: readonly GraphNode[];
}

const SNIPPET_CHARS = 200;
const FULL_TEXT_BYTES = 32_768;
const CONTEXT_TOKENS = 4_500;
const MORE = '...[truncated]';

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

function fullText(text: string, maxChars: number): string {
  const end = wholeOffset(text, Math.min(maxChars, clipToBytes(text, FULL_TEXT_BYTES)));
  return end < text.length ? `${text.slice(0, end)}${MORE}` : text;
}

/** A section as the older answer cites it. @param maxChars  maximum length of its text */
export function toAnswerEvidence(
  candidate: Candidate,
  { ranking, confidence }: ReadRanking,
  { level, entities, maxChars }: SectionLinks & { readonly maxChars: number },
): AnswerEvidence {
  const { section, document, score } = candidate;
  const share = score / (ranking.candidates[0]?.score || 1);
  return {
    section_id: section.id,
    node_id: section.id,
    node_label: 'Chunk',
    snippet: selectPreview(section.text, ranking.part.text, SNIPPET_CHARS).text,
    path: sectionTitle(section.headingPath),
    confidence: rounded(confidence * share),
    title: shownTitle(section.title),
    full_text: fullText(section.text, maxChars),
    metadata: {
      document_id: nodeId('document', document.path),
      level,
      anchor: shownAnchor(section.anchor),
      tokens: estimateTokens(section.text),
    },
    related_entities: entities.map((node) => ({
      entity_id: node.id,
      label: labelOf(node),
      name: node.title,
      relationship: 'MENTIONS',
      confidence: 1,
    })),
    related_sections: [],
  };
}

/** The answer as Markdown: the list of sections, then up to 4,500 tokens of their texts. */
export function answerMarkdown(answer: string, evidence: readonly AnswerEvidence[]): string {
  const list = evidence.map(
    ({ title, section_id, snippet }, i) => `${i + 1}. **${title}** (${section_id})\n   ${snippet}`,
  );
  const texts = evidence.map(({ path, full_text }) => `### ${path}\n\n${full_text}`).join('\n\n');
  const context = texts.slice(0, fitTokens(texts, CONTEXT_TOKENS));
  return [answer, ...(list.length > 0 ? [list.join('\n'), '## Context', context] : [])].join('\n\n');
}
