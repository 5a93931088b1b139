import { restLines } from '../../../core/reply.js';
import { defineTool } from '../../../mcp/define-tool.js';
import { DOCUMENT_TEXT } from '../../../mcp/tool-class.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { NO_FENCE, type TextFence } from '../../../text/untrusted-text.js';
import { refsOfStored } from '../source/refs-of-stored.js';
import {
  type Classification,
  classifyDocumentInput,
  classifyDocumentOutput,
  MAX_LABELS,
  MAX_PASSAGES,
} from './classify-document.schemas.js';
import { ClassifyDocumentService } from './classify-document.service.js';

export const classifyDocumentTool = defineTool({
  name: 'document.classify',
  title: 'Labels for a document',
  description:
    'Use when you want to know which facet values of the indexed documents, or which of your own labels, fit a ' +
    'document that you send as text or name by its path. Do not use when you look for documents with a label: call ' +
    'kb.search. Returns at most 3 values of each facet, or all your labels, with scores (not probabilities) and ' +
    'verbatim passages that speak for them (32 KB). If you need more, call document.parse for the whole structure. ' +
    `Defaults: all facets, 2 passages. Max: ${MAX_LABELS} labels, ${MAX_PASSAGES} passages, 65,536 characters of text.`,
  input: classifyDocumentInput,
  output: classifyDocumentOutput,
  feature: 'document',
  isCore: false,
  permission: 'read',
  mounts: ['documents'],
  standsFor: DOCUMENT_TEXT,
  standsForIf: { artifact: ['substrate.artifact.get'] },
  budget: { bytes: 32_768, tokens: 12_000 },
  rendering: {
    refs: refsOfStored,
    full: classificationText,
    summary: ({ document, labels }) => `${document.path}: ${labels.length} labels.`,
  },
});

function classificationText(result: Classification, fence: TextFence = NO_FENCE): string {
  const { document, labels } = result;
  const texts = labels.map(({ facet, label, score, passages }) =>
    [
      `${facet === null ? '' : `${facet}: `}${label} (${score})`,
      ...passages.map(({ section_id: id, text }) => `  "${text}" [${id}]`),
    ].join('\n'),
  );
  if (labels.length === 0) return 'No label fits: there are no similar documents.';
  const sources = [document.path, ...labels.flatMap(({ similar }) => similar)];
  return [fence(sources, texts.join('\n')), ...restLines(result)].join('\n');
}

export const ClassifyDocumentTool = toolController(
  ClassifyDocumentService,
  classifyDocumentTool,
  (service, call, input) => service.classify(call, input),
);
