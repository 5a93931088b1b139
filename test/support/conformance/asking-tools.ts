import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { InvalidArgumentError } from '../../../src/core/errors.js';
import { callOf } from '../../../src/mcp/calls.js';
import { hostRequestsOf } from '../../../src/mcp/host-requests.js';
import { FORM_WITH_CHOICES, FORM_WITH_DEFAULTS } from './fixture-data.js';
import { fixtureTool } from './fixture-tool.js';

const cannot = (what: string) =>
  new InvalidArgumentError(`The client does not support ${what}.`, {
    reason: 'client_capability',
    hint: 'Declare the capability.',
  });

type Form = Omit<ElicitRequestFormParams, 'mode'>;

async function ask(context: McpContext, form: Form): Promise<string> {
  const { elicit } = hostRequestsOf(context);
  if (!elicit) throw cannot('elicitation');
  const { action, content } = await elicit(form, callOf(context).signal);
  return `action=${action}, content=${JSON.stringify(content)}`;
}

const text = (name: string) => z.object({ [name]: z.string().max(1_000).describe('A text.') });

const USER_FORM: Form['requestedSchema'] = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};

/** Tools that ask a client of 2025 while they run. */
export const ASKING_TOOLS = [
  fixtureTool({
    name: 'test_sampling',
    input: text('prompt'),
    answer: async (context, { prompt }) => {
      const { sample } = hostRequestsOf(context);
      if (!sample) throw cannot('sampling');
      const content = { type: 'text', text: String(prompt) } as const;
      const params = { messages: [{ role: 'user' as const, content }], maxTokens: 100 };
      const answer = await sample(params, callOf(context).signal);
      return { text: `LLM response: ${JSON.stringify(answer.content)}` };
    },
  }),
  fixtureTool({
    name: 'test_elicitation',
    input: text('message'),
    answer: async (context, { message }) => ({
      text: `User response: ${await ask(context, { message: String(message), requestedSchema: USER_FORM })}`,
    }),
  }),
  fixtureTool({
    name: 'test_elicitation_sep1034_defaults',
    answer: async (context) => ({
      text: await ask(context, { message: 'Check the defaults', requestedSchema: FORM_WITH_DEFAULTS }),
    }),
  }),
  fixtureTool({
    name: 'test_elicitation_sep1330_enums',
    answer: async (context) => ({
      text: await ask(context, { message: 'Choose', requestedSchema: FORM_WITH_CHOICES }),
    }),
  }),
];
