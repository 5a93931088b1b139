import { restLines } from '../../../core/reply.js';
import { defineTool } from '../../../mcp/define-tool.js';
import { DOCUMENT_TEXT } from '../../../mcp/tool-class.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { NO_FENCE, type TextFence } from '../../../text/untrusted-text.js';
import { refsOfStored } from '../source/refs-of-stored.js';
import {
  MAX_ITEMS,
  parseDocumentInput,
  parseDocumentOutput,
  type ParsedPage,
} from './parse-document.schemas.js';
import { ParseDocumentService } from './parse-document.service.js';

export const parseDocumentTool = defineTool({
  name: 'document.parse',
  title: 'Outline, sections and links of a document',
  description:
    'Use when you want the structure of a document that you send as text, of a stored artifact, or of an indexed ' +
    'one by its path, with the section ids that indexing gives. Do not use when a question needs an answer: call kb.retrieve_evidence. ' +
    'Returns at most limit headings, sections and links, in this order (48 KB). ' +
    'If you need more, call it with next_cursor as cursor. ' +
    `Defaults: all parts, limit 100, section_chars 300. Max: limit ${MAX_ITEMS}, 65,536 characters of text.`,
  input: parseDocumentInput,
  output: parseDocumentOutput,
  feature: 'document',
  isCore: false,
  permission: 'read',
  mounts: ['documents'],
  standsFor: DOCUMENT_TEXT,
  standsForIf: { artifact: ['substrate.artifact.get'] },
  budget: { bytes: 49_152, tokens: 20_000 },
  rendering: {
    refs: refsOfStored,
    full: pageText,
    summary: ({ document, counts }) =>
      `${document.path}: ${counts.outline} headings, ${counts.sections} sections, ${counts.links} links.`,
  },
});

function pageText(page: ParsedPage, fence: TextFence = NO_FENCE): string {
  const { document, counts, outline, sections, links } = page;
  const headings = outline.map(
    ({ section_id, title, level }) => `${'  '.repeat(level - 1)}${title} [${section_id ?? 'no text'}]`,
  );
  const texts = sections.map(
    ({ section_id, breadcrumb, text, truncated }) =>
      `## ${breadcrumb} [${section_id}]\n${text}${truncated ? '…' : ''}`,
  );
  const hrefs = links.map(({ section_id, href }) => `${href} [${section_id}]`);
  const words = [headings.join('\n'), texts.join('\n\n'), hrefs.join('\n')].filter((part) => part !== '');
  return [
    `${counts.outline} headings, ${counts.sections} sections, ${counts.links} links.`,
    ...(words.length > 0 ? [fence(document.path, words.join('\n\n'))] : []),
    ...restLines(page),
  ].join('\n');
}

export const ParseDocumentTool = toolController(
  ParseDocumentService,
  parseDocumentTool,
  (service, call, input) => service.parse(call, input),
);
