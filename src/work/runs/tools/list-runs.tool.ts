import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { ReadRunService } from '../read-run.service.js';
import { LIST_RENDERING } from '../render-runs.js';
import { DEFAULT_RUNS, listRunsInput, listRunsOutput, MAX_RUNS } from '../runs.schemas.js';

export const listRunsTool = defineTool({
  name: 'run.list',
  title: 'Runs',
  description:
    'Use when you look for your runs, by status or type. ' +
    'Do not use when you have a run_id: call run.get. ' +
    `Returns at most ${MAX_RUNS} runs, newest first (24 KB). ` +
    'If you need more, call run.list with next_cursor as cursor. ' +
    `Defaults: all of them, limit ${DEFAULT_RUNS}. Max: ${MAX_RUNS}.`,
  input: listRunsInput,
  output: listRunsOutput,
  feature: 'run',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 24_576, tokens: 12_000 },
  rendering: LIST_RENDERING,
});

export const ListRunsTool = toolController(
  ReadRunService,
  listRunsTool,
  (service, call, { status = null, run_type = null, limit, cursor = null }) =>
    service.list(call, { status, type: run_type, limit, cursor }),
);
