import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { ReadRunService } from '../read-run.service.js';
import { DESCRIPTION_RENDERING } from '../render-runs.js';
import { getRunInput, getRunOutput } from '../runs.schemas.js';

export const getRunTool = defineTool({
  name: 'run.get',
  title: 'A run',
  description:
    'Use when you want the status, result or stored state of a run. ' +
    'Do not use when you want its steps: call run.events. ' +
    'Returns at most one run, with the state of one checkpoint if you ask for it (256 KB). ' +
    'If you need more, call run.get with checkpoint: 0 for the latest. ' +
    'Defaults: no checkpoint. Max: one checkpoint.',
  input: getRunInput,
  output: getRunOutput,
  feature: 'run',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 262_144, tokens: 200_000 },
  rendering: DESCRIPTION_RENDERING,
});

export const GetRunTool = toolController(
  ReadRunService,
  getRunTool,
  (service, call, { run_id, checkpoint = null }) => service.get(call, run_id, checkpoint),
);
