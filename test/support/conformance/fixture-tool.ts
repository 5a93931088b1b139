import type { Type } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Attachment, Reply } from '../../../src/core/reply.js';
import { defineTool, McpTool } from '../../../src/mcp/define-tool.js';
import type { JsonSchema } from '../../../src/mcp/schema.js';

type Arguments = Readonly<Record<string, unknown>>;

/** The text of a result, and what follows it. */
export interface FixtureAnswer {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

interface Fixture {
  readonly name: string;
  readonly input?: z.ZodType;
  /** The listed schema, if it is not that of `input`. */
  readonly schema?: JsonSchema;
  readonly answer: (context: McpContext, args: Arguments) => FixtureAnswer | Promise<FixtureAnswer>;
}

const output = z.object({ text: z.string().max(4_000).describe('The answer.') });

const replyOf = ({ text, attachments = [] }: FixtureAnswer): Reply<z.output<typeof output>> => ({
  output: { text },
  count: 1,
  maxChars: text.length,
  build: () => ({ text }),
  media: () => attachments,
});

/** Makes a tool that the conformance suite calls. It passes the same pipeline as Pith's own tools. */
export function fixtureTool({ name, input = z.object({}), schema, answer }: Fixture): Type {
  const description = `The conformance suite calls ${name}.`;
  const definition = defineTool({
    ...{ name, title: name, description, input, output },
    feature: 'always',
    isCore: true,
    permission: 'read',
    budget: { bytes: 32_768, tokens: 12_000 },
    rendering: { full: ({ text }) => text, summary: ({ text }) => text },
    ...(schema ? { listedFor: () => ({ description, inputSchema: schema }) } : {}),
  });

  @McpController()
  class FixtureTool {
    @McpTool(definition)
    async answer(@Payload() args: Arguments, @Ctx() context: McpContext) {
      return replyOf(await answer(context, args));
    }
  }
  return FixtureTool;
}
