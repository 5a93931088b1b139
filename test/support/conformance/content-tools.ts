import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { InvalidArgumentError } from '../../../src/core/errors.js';
import { callReports } from '../../../src/mcp/calls.js';
import { PNG, SCHEMA_2020_12, WAV } from './fixture-data.js';
import { fixtureTool } from './fixture-tool.js';

const PICTURE = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const SOUND = { type: 'audio', data: WAV, mimeType: 'audio/wav' } as const;
const STEP_MS = 50;

const file = (text: string, mimeType: string) =>
  ({ type: 'resource', resource: { uri: 'test://embedded-resource', mimeType, text } }) as const;

const anything = z.looseObject({});

/** Tools that answer by themselves: content of every type, an error, progress, log messages, schemas. */
export const CONTENT_TOOLS = [
  fixtureTool({
    name: 'test_simple_text',
    answer: () => ({ text: 'This is a simple text response for testing.' }),
  }),
  fixtureTool({
    name: 'test_image_content',
    answer: () => ({ text: 'A picture:', attachments: [PICTURE] }),
  }),
  fixtureTool({ name: 'test_audio_content', answer: () => ({ text: 'A sound:', attachments: [SOUND] }) }),
  fixtureTool({
    name: 'test_embedded_resource',
    answer: () => ({
      text: 'A resource:',
      attachments: [file('This is an embedded resource content.', 'text/plain')],
    }),
  }),
  fixtureTool({
    name: 'test_multiple_content_types',
    answer: () => ({
      text: 'Multiple content types test:',
      attachments: [PICTURE, file('{"test":"data","value":123}', 'application/json')],
    }),
  }),
  fixtureTool({
    name: 'test_error_handling',
    answer: () => {
      throw new InvalidArgumentError('This tool intentionally returns an error for testing', {
        reason: 'intended',
        hint: 'Nothing to do.',
      });
    },
  }),
  fixtureTool({
    name: 'test_tool_with_progress',
    answer: async (context) => {
      const reports = callReports(context);
      for (const progress of [0, 50, 100]) {
        reports.progress({ progress, total: 100 });
        await pause(STEP_MS);
      }
      return { text: 'Progress was reported.' };
    },
  }),
  ...['test_tool_with_logging', 'test_logging_tool'].map((name) =>
    fixtureTool({
      name,
      answer: async (context) => {
        const reports = callReports(context);
        for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
          reports.log('info', step);
          await pause(STEP_MS);
        }
        return { text: 'Messages were logged.' };
      },
    }),
  ),
  fixtureTool({
    name: 'json_schema_2020_12_tool',
    input: anything,
    schema: SCHEMA_2020_12,
    answer: () => ({ text: 'The arguments were accepted.' }),
  }),
  fixtureTool({
    name: 'test_custom_header',
    input: anything,
    schema: {
      type: 'object',
      properties: { region: { type: 'string', description: 'A region.', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    answer: (_, { region }) => ({ text: `Region: ${String(region)}` }),
  }),
];
