import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { quotedLine } from '../../../text/plain-line.js';
import {
  DEFAULT_MOVES,
  MAX_MOVES,
  type ResolvedPointer,
  resolvePointerInput,
  resolvePointerOutput,
} from '../pointers/pointer.schemas.js';
import { PointerService } from '../pointers/pointer.service.js';
import { pointerLine, pointerRefs } from './substrate-texts.js';

export const resolvePointerTool = defineTool({
  name: 'substrate.pointer.resolve',
  title: 'Where a pointer is',
  description:
    'Use when you want the current manifest of a pointer, and who moved it when and why. ' +
    'Do not use when you do not know its name: call substrate.pointer.list. ' +
    'Returns at most the pointer and max_moves steps of its history, latest first (32 KB). ' +
    'If you need more, call it again with before_version, or substrate.manifest.checkout for the files. ' +
    `Defaults: namespace default, max_moves ${DEFAULT_MOVES}. Max: ${MAX_MOVES}.`,
  input: resolvePointerInput,
  output: resolvePointerOutput,
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 32_768, tokens: 16_384 },
  rendering: { refs: pointerRefs, full: resolvedText, summary: pointerLine },
});

function resolvedText(pointer: ResolvedPointer): string {
  const moves = pointer.history.map(
    ({ version, old_sha256: old, new_sha256: now, by, reason, at }) =>
      `${version}: ${old ?? 'none'} -> ${now}, by ${by}, ${at}: ${quotedLine(reason)}`,
  );
  return [pointerLine(pointer), ...moves, ...(pointer.partial ? ['There is more history.'] : [])].join('\n');
}

export const ResolvePointerTool = toolController(PointerService, resolvePointerTool, (service, call, input) =>
  service.resolve(call, input),
);
