import { z } from 'zod';
import { defineTool } from '../mcp/define-tool.js';
import { DOCUMENT_TEXT } from '../mcp/tool-class.js';
import { toolController } from '../mcp/tool-controller.js';
import { malformedId } from './chunk-id.js';
import { docText } from './delimited-text.js';
import { GetDocService } from './get-doc.service.js';
import { refuseArguments } from './refuse-arguments.js';
import { GET_DOC_BYTES, getDocInput, getDocOutput, MAX_CONTEXT } from './search-docs.schemas.js';

const asMalformed = z.object({ chunk_id: z.string() });

const refuse = refuseArguments({
  chunk_id: 'must be a string, as search_docs returned it',
  context: `must be an integer between 0 and ${MAX_CONTEXT}`,
  cursor: 'must be a string, as next_cursor has it',
  nearest: 'must be an array of at most 8 strings',
});

const getDocTool = defineTool({
  name: 'get_doc',
  title: 'Read a chunk of the documentation',
  description:
    'Retrieve the full content of a specific documentation chunk using its chunk_id. ' +
    'You can optionally request surrounding context within the same file. ' +
    'The path of a file reads the file. With a passage_id, call kb.read_excerpt.',
  input: getDocInput,
  output: getDocOutput,
  feature: 'docs',
  isCore: false,
  permission: 'read',
  version: '4',
  mounts: ['documents'],
  standsFor: DOCUMENT_TEXT,
  budget: { bytes: GET_DOC_BYTES, tokens: 30_000 },
  rendering: { full: docText, summary: docText, isContract: true },
  refuse: (error, input) => {
    const isMalformed = error.issues.some(
      ({ code, path }) => (code === 'too_big' || code === 'custom') && path[0] === 'chunk_id',
    );
    return isMalformed ? malformedId(asMalformed.parse(input).chunk_id) : refuse(error);
  },
});

export const GetDocTool = toolController(GetDocService, getDocTool, (service, call, input) =>
  service.get(call, input),
);
