import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import {
  MAX_UPLOAD_BYTES,
  storedArtifactOutput,
  uploadArtifactInput,
} from '../artifacts/artifact.schemas.js';
import { ArtifactService } from '../artifacts/artifact.service.js';
import { artifactLine, artifactRefs } from './substrate-texts.js';

export const uploadArtifactTool = defineTool({
  name: 'substrate.artifact.upload',
  title: 'Store a document',
  description:
    'Use when you want to store the bytes of a document; equal bytes are stored once. ' +
    'Do not use when the document is stored already: pass its sha256 on. ' +
    'Returns at most the sha256, size and media type. ' +
    'If you need more, call substrate.manifest.create to give artifacts paths. ' +
    `Defaults: text/plain for text. Max: ${MAX_UPLOAD_BYTES} bytes.`,
  input: uploadArtifactInput,
  output: storedArtifactOutput,
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  safety: 'write',
  isAdditive: true,
  isRepeatable: true,
  mounts: ['work'],
  budget: { bytes: 4_096, tokens: 2_000 },
  rendering: { refs: artifactRefs, full: artifactLine, summary: artifactLine },
});

export const UploadArtifactTool = toolController(
  ArtifactService,
  uploadArtifactTool,
  (service, call, input) => service.upload(call, input),
);
