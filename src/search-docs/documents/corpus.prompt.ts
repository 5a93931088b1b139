import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController, Prompt } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { CORPUS_PROMPT } from '../../mcp/corpus-lists.js';
import { invalidInput } from '../../mcp/invalid-input.js';
import { type FilledPrompt, PromptsService } from './prompts.service.js';

const requestSchema = z.object({
  name: z.string().max(256),
  arguments: z.record(z.string(), z.string()).default({}),
});

/** One handler for all prompts, because the prompts are known only when the index is open. */
@McpController()
export class CorpusPromptHandler {
  constructor(private readonly service: PromptsService) {}

  @Prompt({ name: CORPUS_PROMPT, description: 'A prompt from the indexed documents.' })
  fill(@Payload() payload: unknown, @Ctx() context: McpContext): Promise<FilledPrompt> {
    const request = requestSchema.safeParse(payload);
    if (!request.success) throw invalidInput(request.error, { schema: requestSchema, value: payload });
    return this.service.fill(callOf(context), request.data.name, request.data.arguments);
  }
}
