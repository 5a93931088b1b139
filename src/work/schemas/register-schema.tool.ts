import { defineTool } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import { MAX_JSON_BYTES, registeredSchemaOutput, registerSchemaInput } from './schema-tools.schemas.js';
import { SchemasService } from './schemas.service.js';

export const registerSchemaTool = defineTool({
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
  feature: 'schema',
  isCore: false,
  permission: 'read',
  safety: 'write',
  isRepeatable: true,
  isAdditive: true,
  mounts: ['work'],
  budget: { bytes: 2_048, tokens: 1_000 },
  rendering: {
    refs: () => [],
    full: ({ name, version, hash, is_new }) =>
      `${name}, version ${version}${is_new ? '' : ' (registered before)'}. SHA-256: ${hash}`,
    summary: ({ name, version }) => `${name}, version ${version}.`,
  },
});

export const RegisterSchemaTool = toolController(
  SchemasService,
  registerSchemaTool,
  (service, call, { name, schema_json: text, description, compatibility }) =>
    service.register(call, { name, text, description, isBackward: compatibility === 'backward' }),
);
