import { restLines } from '../../core/reply.js';
import { defineTool } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import { quotedLine } from '../../text/plain-line.js';
import {
  listSchemasInput,
  MAX_LISTED_SCHEMAS,
  type SchemaList,
  schemaListOutput,
} from './schema-tools.schemas.js';
import { SchemasService } from './schemas.service.js';

export const listSchemasTool = defineTool({
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
  feature: 'schema',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 24_576, tokens: 10_000 },
  rendering: {
    refs: () => [],
    full: listText,
    summary: ({ schemas }) => `${schemas.length} schemas.`,
  },
});

function listText({ schemas, ...page }: SchemaList): string {
  const lines = schemas.map(
    ({ name, version, description }) =>
      `${name}, version ${version}${description === '' ? '' : `: ${quotedLine(description)}`}`,
  );
  return [...(lines.length === 0 ? ['No schemas.'] : lines), ...restLines(page)].join('\n');
}

export const ListSchemasTool = toolController(
  SchemasService,
  listSchemasTool,
  (service, call, { limit, cursor = null }) => service.list(call, { limit, cursor }),
);
