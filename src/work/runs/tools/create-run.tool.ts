import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { canonicalArgument } from '../../json-argument.js';
import { ChangeRunService } from '../change-run.service.js';
import { RUN_CHANGE } from '../render-runs.js';
import { createRunInput, MAX_CONFIG_BYTES } from '../runs.schemas.js';

export const createRunTool = defineTool({
  name: 'run.create',
  title: 'Create a run',
  description:
    'Use when you begin a task of several calls that is to be kept as one. ' +
    'Do not use when one call is enough. ' +
    'Returns at most one run: its run_id, and status created (4 KB). Send the run_id in _meta["pith/run_id"] of all further calls, which puts them into this run. ' +
    'If you need more, call run.get. ' +
    `Defaults: no config, no schema of steps. Max: config ${MAX_CONFIG_BYTES} bytes.`,
  input: createRunInput,
  ...RUN_CHANGE,
  standsForIf: { step_schema: ['schema.validate'] },
  isAdditive: true,
});

export const CreateRunTool = toolController(
  ChangeRunService,
  createRunTool,
  async (service, call, { run_type, name = null, config, input_manifest_sha256 = null, step_schema }) =>
    service.create(call, {
      type: run_type,
      name,
      config: config === undefined ? null : canonicalArgument(config, 'config', MAX_CONFIG_BYTES),
      inputManifest: input_manifest_sha256,
      stepSchema: step_schema ? { name: step_schema.name, version: step_schema.version ?? null } : null,
    }),
);
