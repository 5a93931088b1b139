import { Logger, Module } from '@nestjs/common';
import { ScratchConfig } from '../config/scratch.config.js';
import { ListScratchService } from './list-scratch.service.js';
import { ListScratchTool } from './list-scratch.tool.js';
import { MemoryScratchStore } from './memory-scratch-store.js';
import { PassagesService } from './passages.service.js';
import { ScratchStore } from './scratch-store.port.js';
import type { ScratchCounters } from './scratch-store.port.js';
import { ScratchResource } from './scratch.resource.js';

export const SCRATCH_TOOLS = [ListScratchTool];

function warnOfPressure({ evictions, passages, bytes }: ScratchCounters): void {
  new Logger('scratch').warn(
    `memory is short: ${evictions} passages evicted, ${passages} kept in ${bytes} bytes; raise PITH_SCRATCH_BYTES`,
  );
}

function memoryStore({ ttlS, maxBytes }: ScratchConfig): ScratchStore {
  return new MemoryScratchStore({ ttlMs: ttlS * 1000, maxBytes, now: Date.now, onPressure: warnOfPressure });
}

/** Passages kept on our side. */
@Module({
  controllers: [...SCRATCH_TOOLS, ScratchResource],
  providers: [
    { provide: ScratchStore, useFactory: memoryStore, inject: [ScratchConfig] },
    PassagesService,
    ListScratchService,
  ],
  exports: [PassagesService],
})
export class ScratchModule {}
