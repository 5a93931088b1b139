import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { canonicalArgument } from '../../json-argument.js';
import { ChangeRunService, CHECKS_RUN } from '../change-run.service.js';
import { RUN_CHANGE } from '../render-runs.js';
import { completeRunInput, MAX_RESULT_BYTES } from '../runs.schemas.js';

export const completeRunTool = defineTool({
  name: 'run.complete',
  title: 'Complete a run',
  description:
    'Use when a run that has started is done. The same call again changes nothing. ' +
    'Do not use when it did not succeed: call run.fail. ' +
    'Returns at most one run, with status completed (4 KB). ' +
    'If you need more, call run.get. ' +
    `Defaults: no result. Max: result ${MAX_RESULT_BYTES} bytes.`,
  input: completeRunInput,
  ...RUN_CHANGE,
  ...CHECKS_RUN,
  isRepeatable: true,
});

export const CompleteRunTool = toolController(
  ChangeRunService,
  completeRunTool,
  async (service, call, { run_id, result, output_manifest_sha256 = null }) =>
    service.end(call, run_id, {
      status: 'completed',
      outcome: result === undefined ? null : canonicalArgument(result, 'result', MAX_RESULT_BYTES),
      outputManifest: output_manifest_sha256,
    }),
);
