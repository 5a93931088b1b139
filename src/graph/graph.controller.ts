import type { Type } from '@nestjs/common';
import type { z } from 'zod';
import { defineTool, type ToolDefinition } from '../mcp/define-tool.js';
import { DOCUMENT_TEXT } from '../mcp/tool-class.js';
import { type ToolAnswer, toolController } from '../mcp/tool-controller.js';
import { GraphAnswersService } from './graph-answers.service.js';

type GraphTool<I extends z.ZodType, O extends z.ZodType> = Omit<
  ToolDefinition<I, O>,
  'feature' | 'isCore' | 'permission' | 'mounts' | 'standsForIf' | 'budget'
> & { readonly answer: ToolAnswer<GraphAnswersService, I, O> };

/** The controller of one graph tool. */
export function graphController<I extends z.ZodType, O extends z.ZodType>({
  answer,
  ...tool
}: GraphTool<I, O>): Type {
  const definition = defineTool({
    ...tool,
    feature: 'graph',
    isCore: false,
    permission: 'read',
    mounts: ['graph'],
    standsForIf: { include_snippet: DOCUMENT_TEXT },
    budget: { bytes: 16_384, tokens: 7_000 },
  });
  return toolController(GraphAnswersService, definition, answer);
}
