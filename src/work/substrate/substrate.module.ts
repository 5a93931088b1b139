import { Module } from '@nestjs/common';
import { ArtifactService } from './artifacts/artifact.service.js';
import { ARTIFACT_TOOLS } from './artifacts/artifact.tools.js';
import { ManifestService } from './manifests/manifest.service.js';
import { MANIFEST_TOOLS } from './manifests/manifest.tools.js';
import { ManifestFilesService } from './manifests/manifest-files.service.js';
import { PointerService } from './pointers/pointer.service.js';
import { POINTER_TOOLS } from './pointers/pointer.tools.js';

export const SUBSTRATE_TOOLS = [...ARTIFACT_TOOLS, ...MANIFEST_TOOLS, ...POINTER_TOOLS];

@Module({
  controllers: SUBSTRATE_TOOLS,
  providers: [ArtifactService, ManifestFilesService, ManifestService, PointerService],
  exports: [ManifestFilesService, PointerService],
})
export class SubstrateModule {}
