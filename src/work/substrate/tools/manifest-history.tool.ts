import { restLines } from '../../../core/reply.js';
import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import {
  DEFAULT_LISTED_MANIFESTS,
  manifestHistoryInput,
  manifestHistoryOutput,
  MAX_LISTED_MANIFESTS,
} from '../manifests/manifest.schemas.js';
import { ManifestService } from '../manifests/manifest.service.js';
import { artifactRefs, manifestLine } from './substrate-texts.js';

export const manifestHistoryTool = defineTool({
  name: 'substrate.manifest.history',
  title: 'History of a manifest',
  description:
    'Use when you want to know which manifests a manifest follows, with their messages. ' +
    'Do not use when you want to know where a pointer was: call substrate.pointer.resolve. ' +
    'Returns at most limit manifests: itself, its parent, and so on (32 KB). ' +
    'If you need more, call it again with cursor = next_cursor. ' +
    `Defaults: limit ${DEFAULT_LISTED_MANIFESTS}. Max: ${MAX_LISTED_MANIFESTS}.`,
  input: manifestHistoryInput,
  output: manifestHistoryOutput,
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 32_768, tokens: 16_384 },
  rendering: {
    refs: ({ manifests }) => manifests.flatMap(artifactRefs),
    full: ({ manifests, ...page }) => [...manifests.map(manifestLine), ...restLines(page)].join('\n'),
    summary: ({ manifests }) => `${manifests.length} manifests.`,
  },
});

export const ManifestHistoryTool = toolController(
  ManifestService,
  manifestHistoryTool,
  (service, call, input) => service.history(call, input),
);
