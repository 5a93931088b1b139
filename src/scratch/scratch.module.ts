// src/scratch: passages: the store, their handles, the resource; scratch.list
import { Module } from '@nestjs/common';
import { ServerSecret } from '../config/server-secret.js';
import { SurfaceConfig } from '../config/settings/surface.config.js';
import { ListScratchService } from './list-scratch.service.js';
import { ListScratchTool } from './list-scratch.tool.js';
import { PassageNaming, PassagesService } from './passages.service.js';
import { ScratchResource } from './scratch.resource.js';

export const SCRATCH_TOOLS = [ListScratchTool];

@Module({
  controllers: [...SCRATCH_TOOLS, ScratchResource],
  providers: [
    {
      provide: PassageNaming,
      inject: [ServerSecret, SurfaceConfig],
      useFactory: ({ secret }: ServerSecret, { uriScheme }: SurfaceConfig) =>
        new PassageNaming(secret, uriScheme),
    },
    PassagesService,
    ListScratchService,
  ],
  exports: [PassagesService, PassageNaming],
})
export class ScratchModule {}
