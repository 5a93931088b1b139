import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { FollowRunService } from '../follow-run.service.js';
import { EVENTS_RENDERING } from '../render-runs.js';
import { DEFAULT_EVENTS, MAX_EVENTS, MAX_WAIT_MS, runEventsInput, runEventsOutput } from '../runs.schemas.js';

export const runEventsTool = defineTool({
  name: 'run.events',
  title: 'Events of a run',
  description:
    'Use when you read or follow what happened in a run: changes, steps, checkpoints, calls, approvals. ' +
    'Do not use when the status is enough: call run.get. ' +
    `Returns at most ${MAX_EVENTS} events, oldest first (48 KB). ` +
    'If you need more, call run.events with next_since_sequence as since_sequence. ' +
    `Defaults: all types, limit ${DEFAULT_EVENTS}, no wait. Max: ${MAX_EVENTS}, wait_ms ${MAX_WAIT_MS}.`,
  input: runEventsInput,
  output: runEventsOutput,
  feature: 'run',
  isCore: false,
  permission: 'read',
  waitsMs: MAX_WAIT_MS,
  mounts: ['work'],
  budget: { bytes: 49_152, tokens: 24_000 },
  rendering: EVENTS_RENDERING,
});

export const RunEventsTool = toolController(
  FollowRunService,
  runEventsTool,
  (service, call, { run_id, since_sequence, types = null, limit, wait_ms }) =>
    service.events(call, { runId: run_id, since: since_sequence, types, limit, waitMs: wait_ms }),
);
