import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { createPointerInput, pointerOutput } from '../pointers/pointer.schemas.js';
import { PointerService } from '../pointers/pointer.service.js';
import { pointerLine, pointerRefs } from './substrate-texts.js';

export const createPointerTool = defineTool({
  name: 'substrate.pointer.create',
  title: 'Name a manifest',
  description:
    'Use when you want to give a manifest a name that can move to later manifests. ' +
    'Do not use when the name exists: call substrate.pointer.advance. ' +
    'Returns at most the new pointer, or pointer_exists with its current manifest. ' +
    'If you need more, call substrate.pointer.resolve. ' +
    'Defaults: namespace default, no description. Max: 64 characters per name.',
  input: createPointerInput,
  output: pointerOutput,
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  safety: 'write',
  isAdditive: true,
  mounts: ['work'],
  budget: { bytes: 8_192, tokens: 4_000 },
  checkReady: ({ call, input, service }) => service(PointerService).checkCreate(call, input),
  rendering: { refs: pointerRefs, full: pointerLine, summary: pointerLine },
});

export const CreatePointerTool = toolController(PointerService, createPointerTool, (service, call, input) =>
  service.create(call, input),
);
