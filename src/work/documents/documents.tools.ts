import { nodeId } from '../../core/node-id.js';
import { type Ref, restLines } from '../../core/reply.js';
import { decodePath } from '../../core/section-id.js';
import { DOCUMENT_TEXT } from '../../mcp/tool-class.js';
import { answeredTool } from '../../mcp/tool-controller.js';
import { NO_FENCE, type TextFence } from '../../text/untrusted-text.js';
import { ClassifyDocumentService } from './classify-document.service.js';
import {
  type Classification,
  classifyDocumentInput,
  classifyDocumentOutput,
  type ExtractedTables,
  extractTablesInput,
  extractTablesOutput,
  MAX_ITEMS,
  MAX_LABELS,
  MAX_PASSAGES,
  MAX_ROWS,
  parseDocumentInput,
  parseDocumentOutput,
  type ParsedPage,
} from './documents.schemas.js';
import { ExtractTablesService, ParseDocumentService, writeCsv } from './parse-document.service.js';

interface AboutDocument {
  readonly document: { readonly path: string; readonly origin: 'sent' | 'stored' };
}

/** A stored document; a sent one is not an item of the index. */
const refsOfStored = ({ document: { path, origin } }: AboutDocument): Ref[] =>
  origin === 'stored' ? [{ type: 'document', id: nodeId('document', decodePath(path)) }] : [];

/** Common parts of the tools that read a document. */
const READS_DOCUMENT = {
  feature: 'document',
  isCore: false,
  permission: 'read',
  mounts: ['documents'],
  standsFor: DOCUMENT_TEXT,
  standsForIf: { artifact: ['substrate.artifact.get'] },
} as const;

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

function tablesText(result: ExtractedTables, fence: TextFence = NO_FENCE): string {
  const { document, total_tables: total, tables } = result;
  const texts = tables.map(({ table, caption, section_id: id, header, rows, first_row: first, ...of }) => {
    const range = of.complete ? '' : `, rows ${first + 1} to ${first + rows.length} of ${of.total_rows}`;
    return `Table ${table}${range}: ${caption ?? 'no caption'} [${id ?? 'no section'}]\n${writeCsv([...header, ...rows])}`;
  });
  return [
    `${total} tables.`,
    ...(texts.length > 0 ? [fence(document.path, texts.join('\n'))] : []),
    ...restLines(result),
  ].join('\n');
}

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

/** The tools of documents, in the order of the tool list. */
export const DOCUMENT_TOOLS = [
  answeredTool(ParseDocumentService, {
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
    ...READS_DOCUMENT,
    budget: { bytes: 49_152, tokens: 20_000 },
    rendering: {
      refs: refsOfStored,
      full: pageText,
      summary: ({ document, counts }) =>
        `${document.path}: ${counts.outline} headings, ${counts.sections} sections, ${counts.links} links.`,
    },
    answer: (service, call, input) => service.parse(call, input),
  }),
  answeredTool(ExtractTablesService, {
    name: 'document.extract_tables',
    title: 'Tables of a document',
    description:
      'Use when you need the cells of the tables of a document that you send as text, of a stored artifact, or of an ' +
      'indexed one by its path: as JSON and CSV, with caption, place and section. Do not use when a question needs an answer: call ' +
      'kb.retrieve_evidence. Returns at most limit rows of all tables, in reading order; spanned cells repeat their ' +
      'value (48 KB). If you need more, call it with next_cursor as cursor. ' +
      `Defaults: limit 200, with CSV. Max: limit ${MAX_ROWS}, 65,536 characters of text.`,
    input: extractTablesInput,
    output: extractTablesOutput,
    ...READS_DOCUMENT,
    budget: { bytes: 49_152, tokens: 20_000 },
    rendering: {
      refs: refsOfStored,
      full: tablesText,
      summary: ({ document, total_tables: total }) => `${document.path}: ${total} tables.`,
    },
    answer: (service, call, input) => service.extract(call, input),
  }),
  answeredTool(ClassifyDocumentService, {
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
    ...READS_DOCUMENT,
    budget: { bytes: 32_768, tokens: 12_000 },
    rendering: {
      refs: refsOfStored,
      full: classificationText,
      summary: ({ document, labels }) => `${document.path}: ${labels.length} labels.`,
    },
    answer: (service, call, input) => service.classify(call, input),
  }),
];
