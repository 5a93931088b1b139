import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { canonicalJson } from '../../../text/canonical-json.js';
import { ChangeRunService, CHECKS_RUN } from '../change-run.service.js';
import { RUN_CHANGE } from '../render-runs.js';
import { cancelRunInput } from '../runs.schemas.js';

export const cancelRunTool = defineTool({
  name: 'run.cancel',
  title: 'Cancel a run',
  description:
    'Use when a run is no longer wanted, whether or not it has started. The same call again changes nothing. ' +
    'Do not use when it went wrong: call run.fail. ' +
    'Returns at most one run, with status cancelled (4 KB). ' +
    'If you need more, call run.get. ' +
    'Defaults: no reason. Max: reason 500 characters.',
  input: cancelRunInput,
  ...RUN_CHANGE,
  ...CHECKS_RUN,
  isRepeatable: true,
});

export const CancelRunTool = toolController(
  ChangeRunService,
  cancelRunTool,
  async (service, call, { run_id, reason }) => {
    const outcome = reason === undefined ? null : canonicalJson(reason);
    return service.end(call, run_id, { status: 'cancelled', outcome, outputManifest: null });
  },
);
