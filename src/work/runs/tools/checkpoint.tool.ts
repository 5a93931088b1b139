import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { canonicalArgument } from '../../json-argument.js';
import { ChangeRunService, CHECKS_RUN } from '../change-run.service.js';
import { RUN_CHANGE } from '../render-runs.js';
import { checkpointInput, KEPT_VERSIONS, MAX_STATE_BYTES } from '../runs.schemas.js';

export const checkpointTool = defineTool({
  name: 'run.checkpoint',
  title: 'Store the state of a run',
  description:
    'Use when you store what you need to go on with a run later. Only its owner can read it. ' +
    'Do not use when you only report progress: call run.log_step. ' +
    `Returns at most one run, with the new checkpoint_version (4 KB); the last ${KEPT_VERSIONS} versions are kept. ` +
    'If you need more, call run.get with checkpoint 0. ' +
    `Defaults: stored after any version. Max: state ${MAX_STATE_BYTES} bytes.`,
  input: checkpointInput,
  ...RUN_CHANGE,
  ...CHECKS_RUN,
});

export const CheckpointTool = toolController(
  ChangeRunService,
  checkpointTool,
  async (service, call, { run_id, state, expected_version = null }) =>
    service.checkpoint(call, run_id, {
      state: canonicalArgument(state, 'state', MAX_STATE_BYTES),
      expected: expected_version,
    }),
);
