import { restLines } from '../../../core/reply.js';
import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { plainLine, quotedLine } from '../../../text/plain-line.js';
import {
  checkoutManifestInput,
  checkoutManifestOutput,
  DEFAULT_LISTED_ENTRIES,
  type ManifestCheckout,
  MAX_LISTED_ENTRIES,
} from '../manifests/manifest.schemas.js';
import { ManifestService } from '../manifests/manifest.service.js';
import { artifactRefs, manifestLine } from './substrate-texts.js';

export const checkoutManifestTool = defineTool({
  name: 'substrate.manifest.checkout',
  title: 'Files of a manifest',
  description:
    'Use when you want the files of a manifest: paths, with the artifact and metadata of each. ' +
    'Do not use when you want what changed between two: call substrate.manifest.diff. ' +
    'Returns at most limit files by path (64 KB). ' +
    'If you need more, call it again with cursor = next_cursor. ' +
    `Defaults: limit ${DEFAULT_LISTED_ENTRIES}. Max: ${MAX_LISTED_ENTRIES}.`,
  input: checkoutManifestInput,
  output: checkoutManifestOutput,
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 65_536, tokens: 32_768 },
  rendering: {
    refs: ({ manifest }) => artifactRefs(manifest),
    full: checkoutText,
    summary: ({ manifest }) => manifestLine(manifest),
  },
});

function checkoutText({ manifest, entries, ...page }: ManifestCheckout): string {
  const lines = entries.map(({ path, artifact_sha256, metadata = [] }) => {
    const facts = metadata.map(({ name, value }) => `${plainLine(name)}: ${quotedLine(value)}`).join('; ');
    return `${artifact_sha256} ${plainLine(path)}${facts === '' ? '' : ` (${facts})`}`;
  });
  return [manifestLine(manifest), ...lines, ...restLines(page)].join('\n');
}

export const CheckoutManifestTool = toolController(
  ManifestService,
  checkoutManifestTool,
  (service, call, input) => service.checkout(call, input),
);
