import { restLines } from '../../../core/reply.js';
import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import {
  DEFAULT_LISTED_POINTERS,
  listPointersInput,
  listPointersOutput,
  MAX_LISTED_POINTERS,
} from '../pointers/pointer.schemas.js';
import { PointerService } from '../pointers/pointer.service.js';
import { pointerLine, pointerRefs } from './substrate-texts.js';

export const listPointersTool = defineTool({
  name: 'substrate.pointer.list',
  title: 'Pointers to manifests',
  description:
    'Use when you want to know which bundles, corpora and snapshots are published under a name. ' +
    'Do not use when you know the name: call substrate.pointer.resolve. ' +
    'Returns at most limit pointers by namespace and name (32 KB). ' +
    'If you need more, call it again with cursor = next_cursor. ' +
    `Defaults: all namespaces and types, limit ${DEFAULT_LISTED_POINTERS}. Max: ${MAX_LISTED_POINTERS}.`,
  input: listPointersInput,
  output: listPointersOutput,
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 32_768, tokens: 16_384 },
  rendering: {
    refs: ({ pointers }) => pointers.flatMap(pointerRefs),
    full: ({ pointers, ...page }) =>
      [...pointers.map(pointerLine), ...restLines(page)].join('\n') || 'No pointers.',
    summary: ({ pointers }) => `${pointers.length} pointers.`,
  },
});

export const ListPointersTool = toolController(PointerService, listPointersTool, (service, call, input) =>
  service.list(call, input),
);
