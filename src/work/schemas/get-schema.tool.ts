import { defineTool } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import { escapedLine } from '../../text/plain-line.js';
import { getSchemaInput, gotSchemaOutput } from './schema-tools.schemas.js';
import { SchemasService } from './schemas.service.js';

export const getSchemaTool = defineTool({
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
  feature: 'schema',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 204_800, tokens: 80_000 },
  rendering: {
    refs: () => [],
    full: ({ name, version, latest_version, registered_by, registered_at, schema_json }) =>
      `${name}, version ${version} of ${latest_version}, by ${registered_by} at ${registered_at}:\n${escapedLine(schema_json, Infinity)}`,
    summary: ({ name, version, latest_version }) => `${name}, version ${version} of ${latest_version}.`,
  },
});

export const GetSchemaTool = toolController(
  SchemasService,
  getSchemaTool,
  (service, call, { name, version = null }) => service.get(call, { name, version }),
);
