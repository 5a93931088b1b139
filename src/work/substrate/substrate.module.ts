import { Module } from '@nestjs/common';
import { ArtifactService } from './artifacts/artifact.service.js';
import { ManifestService } from './manifests/manifest.service.js';
import { ManifestFilesService } from './manifests/manifest-files.service.js';
import { PointerService } from './pointers/pointer.service.js';
import { AdvancePointerTool } from './tools/advance-pointer.tool.js';
import { ArtifactInfoTool } from './tools/artifact-info.tool.js';
import { CheckoutManifestTool } from './tools/checkout-manifest.tool.js';
import { CreateManifestTool } from './tools/create-manifest.tool.js';
import { CreatePointerTool } from './tools/create-pointer.tool.js';
import { DiffManifestsTool } from './tools/diff-manifests.tool.js';
import { GetArtifactTool } from './tools/get-artifact.tool.js';
import { ListPointersTool } from './tools/list-pointers.tool.js';
import { ManifestHistoryTool } from './tools/manifest-history.tool.js';
import { ResolvePointerTool } from './tools/resolve-pointer.tool.js';
import { UploadArtifactTool } from './tools/upload-artifact.tool.js';

export const SUBSTRATE_TOOLS = [
  UploadArtifactTool,
  GetArtifactTool,
  ArtifactInfoTool,
  CreateManifestTool,
  CheckoutManifestTool,
  DiffManifestsTool,
  ManifestHistoryTool,
  CreatePointerTool,
  ListPointersTool,
  ResolvePointerTool,
  AdvancePointerTool,
];

@Module({
  controllers: SUBSTRATE_TOOLS,
  providers: [ArtifactService, ManifestFilesService, ManifestService, PointerService],
  exports: [ManifestFilesService, PointerService],
})
export class SubstrateModule {}
