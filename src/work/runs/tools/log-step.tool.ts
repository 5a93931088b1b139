import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { canonicalArgument } from '../../json-argument.js';
import { ChangeRunService, CHECKS_RUN } from '../change-run.service.js';
import { RUN_CHANGE } from '../render-runs.js';
import { logStepInput, MAX_DATA_BYTES } from '../runs.schemas.js';

export const logStepTool = defineTool({
  name: 'run.log_step',
  title: 'Log a step of a run',
  description:
    'Use when a step of a run that has started begins or is complete. ' +
    'Do not use when you need the data again: call run.checkpoint. ' +
    'Returns at most one run, or what in the data does not fit the schema of the run (8 KB). ' +
    'If you need more, call run.events, which returns the steps. ' +
    `Defaults: no data. Max: data ${MAX_DATA_BYTES} bytes.`,
  input: logStepInput,
  ...RUN_CHANGE,
  ...CHECKS_RUN,
  budget: { bytes: 8_192, tokens: 3_500 },
  isAdditive: true,
});

export const LogStepTool = toolController(
  ChangeRunService,
  logStepTool,
  async (service, call, { run_id, step_name, event, data, duration_ms = null, success = null }) =>
    service.logStep(call, run_id, {
      ...{ name: step_name, event, success, durationMs: duration_ms },
      data: data === undefined ? null : canonicalArgument(data, 'data', MAX_DATA_BYTES),
    }),
);
