import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { LegacyPathsService } from '../graph/legacy-paths.service.js';
import type { PathsOutput } from '../graph/legacy-paths.service.js';
import { jsonRendering } from '../legacy-rendering.js';
import {
  anyInt,
  cursorSchema,
  cursorShape,
  envelopeShape,
  graphOffShape,
  idsSchema,
  relTypesSchema,
  sessionIdSchema,
} from '../legacy.schemas.js';

export const getPathsBetweenTool = defineLegacyTool({
  name: 'get_paths_between',
  title: 'Find paths (older name)',
  description:
    'Legacy name of graph.paths; prefer graph.paths. ' +
    'Returns one shortest path for each pair of a_ids and b_ids, shortest first, whatever way its edges point. ' +
    'Defaults: max_hops 3 (at most 5), max_paths 10 a page (at most 50).',
  input: z.object({
    a_ids: idsSchema,
    b_ids: idsSchema,
    rel_types: relTypesSchema,
    max_hops: anyInt.default(3),
    max_paths: anyInt.default(10),
    cursor: cursorSchema,
    session_id: sessionIdSchema,
  }),
  output: z.strictObject({
    paths: z.array(
      z.strictObject({ nodes: z.array(z.string()), types: z.array(z.string()), length: z.int() }),
    ),
    ...cursorShape,
    ...graphOffShape,
    ...envelopeShape,
  }),
  rendering: jsonRendering<PathsOutput>(({ paths }) => paths.length, 'paths'),
});

@McpController()
export class GetPathsBetweenTool {
  constructor(private readonly service: LegacyPathsService) {}

  @McpTool(getPathsBetweenTool)
  find(
    @Payload() input: ToolInput<typeof getPathsBetweenTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<PathsOutput>> {
    return this.service.between(callOf(context), {
      aIds: input.a_ids,
      bIds: input.b_ids,
      relTypes: input.rel_types,
      maxHops: input.max_hops,
      maxPaths: input.max_paths,
      cursor: input.cursor,
      sessionId: input.session_id,
    });
  }
}
