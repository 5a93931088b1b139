import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { createManifestInput, manifestOutput, MAX_CHANGES } from '../manifests/manifest.schemas.js';
import { ManifestService } from '../manifests/manifest.service.js';
import { artifactRefs, manifestLine } from './substrate-texts.js';

export const createManifestTool = defineTool({
  name: 'substrate.manifest.create',
  title: 'Make a manifest',
  description:
    'Use when you want to publish stored artifacts as files with paths, or a changed version of a manifest. ' +
    'Do not use when the artifacts are not stored yet: call substrate.artifact.upload. ' +
    'Returns at most the sha256 and the facts of the manifest. ' +
    'If you need more, call it again with base for further files, then substrate.pointer.advance. ' +
    `Defaults: no base; parent_sha256 is base. Max: ${MAX_CHANGES} entries and ${MAX_CHANGES} removals per call, 10000 files.`,
  input: createManifestInput,
  output: manifestOutput,
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  safety: 'write',
  isAdditive: true,
  isRepeatable: true,
  mounts: ['work'],
  budget: { bytes: 8_192, tokens: 4_000 },
  checkReady: ({ call, input, service }) => service(ManifestService).check(call, input),
  rendering: { refs: artifactRefs, full: manifestLine, summary: manifestLine },
});

export const CreateManifestTool = toolController(
  ManifestService,
  createManifestTool,
  (service, call, input) => service.create(call, input),
);
