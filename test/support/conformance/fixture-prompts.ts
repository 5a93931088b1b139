import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController, Prompt } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { CorpusPrompt } from '../../../src/core/corpus-facts.js';
import { PNG } from './fixture-data.js';
import { acceptedIn, askFor, form } from './input-required.js';

/** The name of the handler of all prompts of the fixtures. */
export const FIXTURE_PROMPT = 'conformance';

const prompt = (name: string, ...args: string[]): CorpusPrompt => ({
  name,
  title: null,
  description: `The conformance suite gets ${name}.`,
  arguments: args.map((each) => ({ name: each, description: null, isRequired: true })),
  messages: [],
});

export const FIXTURE_PROMPTS = [
  prompt('test_simple_prompt'),
  prompt('test_prompt_with_arguments', 'arg1', 'arg2'),
  prompt('test_prompt_with_embedded_resource', 'resourceUri'),
  prompt('test_prompt_with_image'),
  prompt('test_input_required_result_prompt'),
];

const text = (value: string) => ({ type: 'text', text: value });
const embedded = (uri: string | undefined) => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
});

type Arguments = Readonly<Record<string, string>>;

const CONTENTS: Readonly<Record<string, (args: Arguments) => readonly object[]>> = {
  test_simple_prompt: () => [text('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    embedded(resourceUri),
    text('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [
    { type: 'image', data: PNG, mimeType: 'image/png' },
    text('Please analyze the image above.'),
  ],
};

const requestSchema = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).default({}),
});

@McpController()
export class FixturePrompts {
  @Prompt({ name: FIXTURE_PROMPT, description: 'The prompts of the conformance fixtures.' })
  async fill(@Payload() payload: unknown, @Ctx() context: McpContext): Promise<object> {
    const { name, arguments: args } = requestSchema.parse(payload);
    const contents = CONTENTS[name]?.(args) ?? [text(await this.asked(context))];
    return { messages: contents.map((content) => ({ role: 'user', content })) };
  }

  private async asked(context: McpContext): Promise<string> {
    const given = acceptedIn(context, 'user_context', 'context');
    if (given === undefined)
      await askFor(context, { user_context: form('What context should the prompt use?', 'context') });
    return `Context: ${given}`;
  }
}
