import { restLines } from '../../core/reply.js';
import { answeredTool } from '../../mcp/tool-controller.js';
import { escapedLine, plainLine, quotedLine } from '../../text/plain-line.js';
import {
  getSchemaInput,
  gotSchemaOutput,
  listSchemasInput,
  MAX_JSON_BYTES,
  MAX_LISTED_SCHEMAS,
  registeredSchemaOutput,
  registerSchemaInput,
  type SchemaList,
  schemaListOutput,
  type Validated,
  validatedOutput,
  validateInput,
} from './schema-tools.schemas.js';
import { SchemasService } from './schemas.service.js';

/** Common parts of the tools of schemas. */
const SCHEMA_TOOL = { feature: 'schema', isCore: false, permission: 'read', mounts: ['work'] } as const;

function problemsText({ name, version, is_valid, problems, ...rest }: Validated): string {
  if (is_valid) return `The value fits ${name}, version ${version}.`;
  return [
    `The value does not fit ${name}, version ${version}:`,
    ...problems.map(({ path, message }) => plainLine(`${path || '(whole value)'}: ${message}`)),
    ...restLines(rest),
  ].join('\n');
}

function listText({ schemas, ...page }: SchemaList): string {
  const lines = schemas.map(
    ({ name, version, description }) =>
      `${name}, version ${version}${description === '' ? '' : `: ${quotedLine(description)}`}`,
  );
  return [...(lines.length === 0 ? ['No schemas.'] : lines), ...restLines(page)].join('\n');
}

/** The tools of schemas, in the order of the tool list. */
export const SCHEMA_TOOLS = [
  answeredTool(SchemasService, {
    name: 'schema.register',
    title: 'Register a JSON Schema',
    description:
      'Use when you want values of one kind to have the same shape from now on. ' +
      'Do not use when you want to check a value: call schema.validate. ' +
      'Returns at most name, version, hash, and whether it is new (2 KB). ' +
      'If you need more, call schema.get. ' +
      `Defaults: compatibility backward, no description. Max: ${MAX_JSON_BYTES} bytes.`,
    input: registerSchemaInput,
    output: registeredSchemaOutput,
    ...SCHEMA_TOOL,
    safety: 'write',
    isRepeatable: true,
    isAdditive: true,
    budget: { bytes: 2_048, tokens: 1_000 },
    rendering: {
      refs: () => [],
      full: ({ name, version, hash, is_new }) =>
        `${name}, version ${version}${is_new ? '' : ' (registered before)'}. SHA-256: ${hash}`,
      summary: ({ name, version }) => `${name}, version ${version}.`,
    },
    answer: (service, call, { name, schema_json: text, description, compatibility }) =>
      service.register(call, { name, text, description, isBackward: compatibility === 'backward' }),
  }),
  answeredTool(SchemasService, {
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
    ...SCHEMA_TOOL,
    budget: { bytes: 8_192, tokens: 3_500 },
    rendering: {
      refs: () => [],
      full: problemsText,
      summary: ({ name, version, is_valid, problems }) =>
        is_valid
          ? `Fits ${name}, version ${version}.`
          : `${problems.length} problems with ${name}, version ${version}.`,
    },
    answer: (service, call, { name, version = null, value_json: text }) =>
      service.validate(call, { name, version }, text),
  }),
  answeredTool(SchemasService, {
    name: 'schema.get',
    title: 'One version of a schema',
    description:
      'Use when you want to read a registered schema. ' +
      'Do not use when you want to check a value: call schema.validate. ' +
      'Returns at most one version, as canonical JSON (200 KB). ' +
      'If you need more, call it for another version. ' +
      'Defaults: the latest version. Max: one version.',
    input: getSchemaInput,
    output: gotSchemaOutput,
    ...SCHEMA_TOOL,
    budget: { bytes: 204_800, tokens: 80_000 },
    rendering: {
      refs: () => [],
      full: ({ name, version, latest_version, registered_by, registered_at, schema_json }) =>
        `${name}, version ${version} of ${latest_version}, by ${registered_by} at ${registered_at}:\n${escapedLine(schema_json, Infinity)}`,
      summary: ({ name, version, latest_version }) => `${name}, version ${version} of ${latest_version}.`,
    },
    answer: (service, call, { name, version = null }) => service.get(call, { name, version }),
  }),
  answeredTool(SchemasService, {
    name: 'schema.list',
    title: 'Registered schemas',
    description:
      'Use when you want to know which schemas are registered. ' +
      'Do not use when you know the name: call schema.get. ' +
      `Returns at most ${MAX_LISTED_SCHEMAS} schemas by name, each in its latest version, without the schema itself (24 KB). ` +
      'If you need more, call it with next_cursor as cursor. ' +
      `Defaults: limit ${MAX_LISTED_SCHEMAS}. Max: ${MAX_LISTED_SCHEMAS}.`,
    input: listSchemasInput,
    output: schemaListOutput,
    ...SCHEMA_TOOL,
    budget: { bytes: 24_576, tokens: 10_000 },
    rendering: {
      refs: () => [],
      full: listText,
      summary: ({ schemas }) => `${schemas.length} schemas.`,
    },
    answer: (service, call, { limit, cursor = null }) => service.list(call, { limit, cursor }),
  }),
];
