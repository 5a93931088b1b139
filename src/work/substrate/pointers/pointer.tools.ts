import { restLines } from '../../../core/reply.js';
import { answeredTool } from '../../../mcp/tool-controller.js';
import { quotedLine } from '../../../text/plain-line.js';
import { pointerLine, pointerRefs, SUBSTRATE } from '../substrate-texts.js';
import {
  advancePointerInput,
  createPointerInput,
  DEFAULT_LISTED_POINTERS,
  DEFAULT_MOVES,
  listPointersInput,
  listPointersOutput,
  MAX_LISTED_POINTERS,
  MAX_MOVES,
  MAX_REASON_CHARS,
  pointerOutput,
  type ResolvedPointer,
  resolvePointerInput,
  resolvePointerOutput,
} from './pointer.schemas.js';
import { PointerService } from './pointer.service.js';

function resolvedText(pointer: ResolvedPointer): string {
  const moves = pointer.history.map(
    ({ version, old_sha256: old, new_sha256: now, by, reason, at }) =>
      `${version}: ${old ?? 'none'} -> ${now}, by ${by}, ${at}: ${quotedLine(reason)}`,
  );
  return [pointerLine(pointer), ...moves, ...(pointer.partial ? ['There is more history.'] : [])].join('\n');
}

/** The tools of pointers, in the order of the tool list. */
export const POINTER_TOOLS = [
  answeredTool(PointerService, {
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
    ...SUBSTRATE,
    safety: 'write',
    isAdditive: true,
    budget: { bytes: 8_192, tokens: 4_000 },
    checkReady: ({ call, input, service }) => service(PointerService).checkCreate(call, input),
    rendering: { refs: pointerRefs, full: pointerLine, summary: pointerLine },
    answer: (service, call, input) => service.create(call, input),
  }),
  answeredTool(PointerService, {
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
    ...SUBSTRATE,
    budget: { bytes: 32_768, tokens: 16_384 },
    rendering: {
      refs: ({ pointers }) => pointers.flatMap(pointerRefs),
      full: ({ pointers, ...page }) =>
        [...pointers.map(pointerLine), ...restLines(page)].join('\n') || 'No pointers.',
      summary: ({ pointers }) => `${pointers.length} pointers.`,
    },
    answer: (service, call, input) => service.list(call, input),
  }),
  answeredTool(PointerService, {
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
    ...SUBSTRATE,
    budget: { bytes: 32_768, tokens: 16_384 },
    rendering: { refs: pointerRefs, full: resolvedText, summary: pointerLine },
    answer: (service, call, input) => service.resolve(call, input),
  }),
  answeredTool(PointerService, {
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
    ...SUBSTRATE,
    safety: 'write',
    budget: { bytes: 8_192, tokens: 4_000 },
    checkReady: ({ call, input, service }) => service(PointerService).checkAdvance(call, input),
    rendering: { refs: pointerRefs, full: pointerLine, summary: pointerLine },
    answer: (service, call, input) => service.advance(call, input),
  }),
];
