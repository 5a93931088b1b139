import { restLines } from '../../core/reply.js';
import { defineTool } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import { refsOfManifest } from './indexing/manifest-facts.js';
import { kbLine } from './kb-entry.js';
import {
  DEFAULT_LISTED_CORPORA,
  listKbsInput,
  listKbsOutput,
  MAX_LISTED_CORPORA,
} from './knowledge.schemas.js';
import { KnowledgeService } from './knowledge.service.js';

export const listKbsTool = defineTool({
  name: 'knowledge.kb_list',
  title: 'Named corpora',
  description:
    'Use when you want to know which named corpora this server has. Do not use when you want to know which collections ' +
    'its own index has: call scope.describe. ' +
    `Returns at most ${MAX_LISTED_CORPORA} corpora, by name (32 KB). If you need more, call it again with next_cursor. ` +
    `Defaults: limit ${DEFAULT_LISTED_CORPORA}. Max: limit ${MAX_LISTED_CORPORA}.`,
  input: listKbsInput,
  output: listKbsOutput,
  feature: 'knowledge',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 32_768, tokens: 16_384 },
  rendering: {
    full: (page, fence) =>
      [
        `Corpora: ${page.corpora.length}`,
        ...page.corpora.map((each) => kbLine(each, fence)),
        ...restLines(page),
      ].join('\n'),
    summary: ({ corpora }) => `${corpora.length} corpora.`,
    refs: ({ corpora }) => corpora.flatMap(refsOfManifest),
  },
});

export const ListKbsTool = toolController(KnowledgeService, listKbsTool, (service, call, input) =>
  service.list(call, input),
);
