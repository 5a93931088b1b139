import type { z } from 'zod';
import { LimitsConfig } from '../../src/config/settings/limits.config.js';
import type { Call } from '../../src/core/call.js';
import type { GraphStore } from '../../src/core/ports/graph-store.port.js';
import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import type { Reply } from '../../src/core/reply.js';
import { GraphService } from '../../src/graph/graph.service.js';
import { LegacyService } from '../../src/legacy/legacy.service.js';
import type { LegacyTool } from '../../src/legacy/legacy-tool.js';
import { aCall, FixedIndex } from './builders.js';

/** What older tools answer from: this graph, or none, and these sections. */
export function aLegacyService(
  store: GraphStore | null,
  index: SectionIndex = new FixedIndex([]),
): LegacyService {
  return new LegacyService(index, new LimitsConfig(), new GraphService(store), store);
}

/** Calls an older tool as a client does: arguments that are left out have their defaults. */
export function replyOf<I extends z.ZodType, O extends z.ZodType>(
  { definition, answer }: LegacyTool<I, O>,
  from: LegacyService,
  args: z.input<I>,
  call: Call = aCall(),
): Promise<Reply<z.output<O>>> {
  return answer(from, call, definition.input.parse(args));
}
