import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { canonicalJson } from '../../../text/canonical-json.js';
import { canonicalArgument } from '../../json-argument.js';
import { ChangeRunService, CHECKS_RUN } from '../change-run.service.js';
import { RUN_CHANGE } from '../render-runs.js';
import { failRunInput, MAX_DETAILS_BYTES } from '../runs.schemas.js';

export const failRunTool = defineTool({
  name: 'run.fail',
  title: 'End a run that has failed',
  description:
    'Use when a run that has started can not be completed. The same call again changes nothing. ' +
    'Do not use when you only stop it: call run.cancel. ' +
    'Returns at most one run, with status failed (4 KB). ' +
    'If you need more, call run.get. ' +
    `Defaults: no details. Max: details ${MAX_DETAILS_BYTES} bytes.`,
  input: failRunInput,
  ...RUN_CHANGE,
  ...CHECKS_RUN,
  isRepeatable: true,
});

export const FailRunTool = toolController(
  ChangeRunService,
  failRunTool,
  async (service, call, { run_id, error: { type, message, details } }) => {
    const given =
      details === undefined ? null : canonicalArgument(details, 'error.details', MAX_DETAILS_BYTES);
    const more = given === null ? {} : { details: JSON.parse(given) as unknown };
    const outcome = canonicalJson({ type, message, ...more });
    return service.end(call, run_id, { status: 'failed', outcome, outputManifest: null });
  },
);
