import { restLines } from '../../../core/reply.js';
import { defineTool } from '../../../mcp/define-tool.js';
import { DOCUMENT_TEXT } from '../../../mcp/tool-class.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { NO_FENCE, type TextFence } from '../../../text/untrusted-text.js';
import { refsOfStored } from '../source/refs-of-stored.js';
import { writeCsv } from '../tables/write-csv.js';
import {
  type ExtractedTables,
  extractTablesInput,
  extractTablesOutput,
  MAX_ROWS,
} from './extract-tables.schemas.js';
import { ExtractTablesService } from './extract-tables.service.js';

export const extractTablesTool = defineTool({
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
  feature: 'document',
  isCore: false,
  permission: 'read',
  mounts: ['documents'],
  standsFor: DOCUMENT_TEXT,
  standsForIf: { artifact: ['substrate.artifact.get'] },
  budget: { bytes: 49_152, tokens: 20_000 },
  rendering: {
    refs: refsOfStored,
    full: tablesText,
    summary: ({ document, total_tables: total }) => `${document.path}: ${total} tables.`,
  },
});

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

export const ExtractTablesTool = toolController(
  ExtractTablesService,
  extractTablesTool,
  (service, call, input) => service.extract(call, input),
);
