import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { LegacyGraphService } from '../graph/legacy-graph.service.js';
import type { ChildrenOutput } from '../graph/legacy-graph.service.js';
import { jsonRendering } from '../legacy-rendering.js';
import {
  anyInt,
  cursorSchema,
  cursorShape,
  envelopeShape,
  graphOffShape,
  idSchema,
  nodeShape,
  sessionIdSchema,
} from '../legacy.schemas.js';

export const listChildrenTool = defineLegacyTool({
  name: 'list_children',
  title: 'List children (older name)',
  description:
    'Legacy name of graph.children; prefer graph.children. ' +
    'Returns what stands right below a document or heading, in its order; page_size 50, at most 100.',
  input: z.object({
    parent_id: idSchema,
    cursor: cursorSchema,
    page_size: anyInt.default(50),
    session_id: sessionIdSchema,
  }),
  output: z.strictObject({
    children: z.array(z.strictObject(nodeShape).pick({ id: true, label: true, title: true, level: true })),
    ...cursorShape,
    ...graphOffShape,
    ...envelopeShape,
  }),
  rendering: jsonRendering<ChildrenOutput>(({ children }) => children.length, 'children'),
});

@McpController()
export class ListChildrenTool {
  constructor(private readonly service: LegacyGraphService) {}

  @McpTool(listChildrenTool)
  list(
    @Payload() input: ToolInput<typeof listChildrenTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<ChildrenOutput>> {
    return this.service.children(callOf(context), {
      parentId: input.parent_id,
      cursor: input.cursor,
      pageSize: input.page_size,
      sessionId: input.session_id,
    });
  }
}
