import { restLines } from '../../core/reply.js';
import { defineTool } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import { plainLine } from '../../text/plain-line.js';
import { MAX_JSON_BYTES, type Validated, validatedOutput, validateInput } from './schema-tools.schemas.js';
import { SchemasService } from './schemas.service.js';

export const validateValueTool = defineTool({
  name: 'schema.validate',
  title: 'Check a value against a schema',
  description:
    'Use when you want to know if a value fits a registered schema, and what does not. ' +
    'Do not use when you want to see the schema: call schema.get. ' +
    'Returns at most 100 problems, each with its place (8 KB). ' +
    'If you need more, call it again after correcting those. ' +
    `Defaults: the latest version. Max: ${MAX_JSON_BYTES} bytes, one second.`,
  input: validateInput,
  output: validatedOutput,
  feature: 'schema',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 8_192, tokens: 3_500 },
  rendering: {
    refs: () => [],
    full: problemsText,
    summary: ({ name, version, is_valid, problems }) =>
      is_valid
        ? `Fits ${name}, version ${version}.`
        : `${problems.length} problems with ${name}, version ${version}.`,
  },
});

function problemsText({ name, version, is_valid, problems, ...rest }: Validated): string {
  if (is_valid) return `The value fits ${name}, version ${version}.`;
  return [
    `The value does not fit ${name}, version ${version}:`,
    ...problems.map(({ path, message }) => plainLine(`${path || '(whole value)'}: ${message}`)),
    ...restLines(rest),
  ].join('\n');
}

export const ValidateValueTool = toolController(
  SchemasService,
  validateValueTool,
  (service, call, { name, version = null, value_json: text }) =>
    service.validate(call, { name, version }, text),
);
