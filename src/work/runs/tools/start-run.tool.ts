import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { ChangeRunService, CHECKS_RUN } from '../change-run.service.js';
import { RUN_CHANGE } from '../render-runs.js';
import { runInput } from '../runs.schemas.js';

export const startRunTool = defineTool({
  name: 'run.start',
  title: 'Start a run',
  description:
    'Use when you begin to work on a run that was created. ' +
    'Do not use when the run has started: of several callers, one starts it. ' +
    'Returns at most one run, with status started (4 KB). ' +
    'If you need more, call run.get. ' +
    'Defaults: none. Max: one run.',
  input: runInput,
  ...RUN_CHANGE,
  ...CHECKS_RUN,
});

export const StartRunTool = toolController(ChangeRunService, startRunTool, (service, call, { run_id }) =>
  service.start(call, run_id),
);
