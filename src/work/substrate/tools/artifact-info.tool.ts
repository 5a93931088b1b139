import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { type ArtifactInfo, artifactInfoOutput, artifactInput } from '../artifacts/artifact.schemas.js';
import { ArtifactService } from '../artifacts/artifact.service.js';
import { artifactLine, artifactRefs } from './substrate-texts.js';

export const artifactInfoTool = defineTool({
  name: 'substrate.artifact.info',
  title: 'About a stored document',
  description:
    'Use when you want to know if an artifact exists, its size, its media type, and who stored it when. ' +
    'Do not use when you look for a file by its path: call substrate.manifest.checkout. ' +
    'Returns at most one artifact. ' +
    'If you need more, call substrate.artifact.get for its content. ' +
    'Defaults: none. Max: one artifact.',
  input: artifactInput,
  output: artifactInfoOutput,
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 4_096, tokens: 2_000 },
  rendering: { refs: artifactRefs, full: infoText, summary: artifactLine },
});

function infoText(artifact: ArtifactInfo): string {
  return `${artifactLine(artifact)} Stored by ${artifact.published_by}, ${artifact.published_at}.`;
}

export const ArtifactInfoTool = toolController(
  ArtifactService,
  artifactInfoTool,
  (service, call, { sha256 }) => service.info(call, sha256),
);
