import { Module } from '@nestjs/common';
import { ArtifactRoutesController } from './artifact-routes.controller.js';

/** The HTTP routes of stored documents. */
@Module({ controllers: [ArtifactRoutesController] })
export class ArtifactRoutesModule {}
