import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { advancePointerInput, MAX_REASON_CHARS, pointerOutput } from '../pointers/pointer.schemas.js';
import { PointerService } from '../pointers/pointer.service.js';
import { pointerLine, pointerRefs } from './substrate-texts.js';

export const advancePointerTool = defineTool({
  name: 'substrate.pointer.advance',
  title: 'Move a pointer',
  description:
    'Use when you want a pointer to name another manifest, and nobody else has moved it meanwhile. ' +
    'Do not use when there is no such pointer: call substrate.pointer.create. ' +
    'Returns at most the moved pointer, or the error conflict with current_sha256. ' +
    'If you need more, call substrate.manifest.diff to see what somebody else changed. ' +
    `Defaults: namespace default. Max: ${MAX_REASON_CHARS} characters of reason.`,
  input: advancePointerInput,
  output: pointerOutput,
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  safety: 'write',
  mounts: ['work'],
  budget: { bytes: 8_192, tokens: 4_000 },
  checkReady: ({ call, input, service }) => service(PointerService).checkAdvance(call, input),
  rendering: { refs: pointerRefs, full: pointerLine, summary: pointerLine },
});

export const AdvancePointerTool = toolController(PointerService, advancePointerTool, (service, call, input) =>
  service.advance(call, input),
);
