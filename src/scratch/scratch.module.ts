import { Module } from '@nestjs/common';
import { ListScratchService } from './list-scratch.service.js';
import { ListScratchTool } from './list-scratch.tool.js';
import { PassagesService } from './passages.service.js';
import { ScratchResource } from './scratch.resource.js';

export const SCRATCH_TOOLS = [ListScratchTool];

/** Passages that the server keeps in its scratch store. */
@Module({
  controllers: [...SCRATCH_TOOLS, ScratchResource],
  providers: [PassagesService, ListScratchService],
  exports: [PassagesService],
})
export class ScratchModule {}
