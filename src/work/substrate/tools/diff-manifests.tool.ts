import { restLines } from '../../../core/reply.js';
import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { plainLine } from '../../../text/plain-line.js';
import {
  DEFAULT_LISTED_ENTRIES,
  diffManifestsInput,
  diffManifestsOutput,
  type ManifestDiff,
  MAX_LISTED_ENTRIES,
} from '../manifests/manifest.schemas.js';
import { ManifestService } from '../manifests/manifest.service.js';

export const diffManifestsTool = defineTool({
  name: 'substrate.manifest.diff',
  title: 'Compare two manifests',
  description:
    'Use when you want the files that were added, removed or changed from one manifest to another. ' +
    'Do not use when you want all files of one: call substrate.manifest.checkout. ' +
    'Returns at most limit changes by path, and their number (64 KB). ' +
    'If you need more, call it again with cursor = next_cursor. ' +
    `Defaults: limit ${DEFAULT_LISTED_ENTRIES}. Max: ${MAX_LISTED_ENTRIES}.`,
  input: diffManifestsInput,
  output: diffManifestsOutput,
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 65_536, tokens: 32_768 },
  rendering: { refs: () => [], full: diffText, summary: countsText },
});

function countsText({
  added,
  removed,
  changed,
}: Pick<ManifestDiff, 'added' | 'removed' | 'changed'>): string {
  return `${added} added, ${removed} removed, ${changed} changed.`;
}

function diffText({ changes, ...rest }: ManifestDiff): string {
  const lines = changes.map(
    ({ path, change, old_sha256: old, new_sha256: now }) =>
      `${change} ${plainLine(path)}: ${old ?? 'none'} -> ${now ?? 'none'}`,
  );
  return [countsText(rest), ...lines, ...restLines(rest)].join('\n');
}

export const DiffManifestsTool = toolController(ManifestService, diffManifestsTool, (service, call, input) =>
  service.diff(call, input),
);
