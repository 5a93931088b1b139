import { answeredTool } from '../../mcp/tool-controller.js';
import { canonicalJson } from '../../text/canonical-json.js';
import { canonicalArgument } from '../json-argument.js';
import { ChangeRunService, CHECKS_RUN } from './change-run.service.js';
import { FollowRunService } from './follow-run.service.js';
import { ReadRunService } from './read-run.service.js';
import { DESCRIPTION_RENDERING, EVENTS_RENDERING, LIST_RENDERING, RUN_CHANGE } from './render-runs.js';
import {
  cancelRunInput,
  checkpointInput,
  completeRunInput,
  createRunInput,
  DEFAULT_EVENTS,
  DEFAULT_RUNS,
  failRunInput,
  getRunInput,
  getRunOutput,
  KEPT_VERSIONS,
  listRunsInput,
  listRunsOutput,
  logStepInput,
  MAX_CONFIG_BYTES,
  MAX_DATA_BYTES,
  MAX_DETAILS_BYTES,
  MAX_EVENTS,
  MAX_RESULT_BYTES,
  MAX_RUNS,
  MAX_STATE_BYTES,
  MAX_WAIT_MS,
  runEventsInput,
  runEventsOutput,
  runInput,
} from './runs.schemas.js';

/** Common parts of the tools that read runs. */
const READS_RUNS = { feature: 'run', isCore: false, permission: 'read', mounts: ['work'] } as const;
/** Common parts of the tools that change a run. */
const OF_KNOWN_RUN = { ...RUN_CHANGE, ...CHECKS_RUN } as const;

/** The tools of runs, in the order of the tool list. */
export const RUN_TOOLS = [
  answeredTool(ChangeRunService, {
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
    answer: async (
      service,
      call,
      { run_type, name = null, config, input_manifest_sha256 = null, step_schema },
    ) =>
      service.create(call, {
        type: run_type,
        name,
        config: config === undefined ? null : canonicalArgument(config, 'config', MAX_CONFIG_BYTES),
        inputManifest: input_manifest_sha256,
        stepSchema: step_schema ? { name: step_schema.name, version: step_schema.version ?? null } : null,
      }),
  }),
  answeredTool(ChangeRunService, {
    name: 'run.start',
    title: 'Start a run',
    description:
      'Use when you begin to work on a run that was created. ' +
      'Do not use when the run has started: of several callers, one starts it. ' +
      'Returns at most one run, with status started (4 KB). ' +
      'If you need more, call run.get. ' +
      'Defaults: none. Max: one run.',
    input: runInput,
    ...OF_KNOWN_RUN,
    answer: (service, call, { run_id }) => service.start(call, run_id),
  }),
  answeredTool(ChangeRunService, {
    name: 'run.log_step',
    title: 'Log a step of a run',
    description:
      'Use when a step of a run that has started begins or is complete. ' +
      'Do not use when you need the data again: call run.checkpoint. ' +
      'Returns at most one run, or what in the data does not fit the schema of the run (8 KB). ' +
      'If you need more, call run.events, which returns the steps. ' +
      `Defaults: no data. Max: data ${MAX_DATA_BYTES} bytes.`,
    input: logStepInput,
    ...OF_KNOWN_RUN,
    budget: { bytes: 8_192, tokens: 3_500 },
    isAdditive: true,
    answer: async (service, call, { run_id, step_name, event, data, duration_ms = null, success = null }) =>
      service.logStep(call, run_id, {
        ...{ name: step_name, event, success, durationMs: duration_ms },
        data: data === undefined ? null : canonicalArgument(data, 'data', MAX_DATA_BYTES),
      }),
  }),
  answeredTool(ChangeRunService, {
    name: 'run.checkpoint',
    title: 'Store the state of a run',
    description:
      'Use when you store what you need to go on with a run later. Only its owner can read it. ' +
      'Do not use when you only report progress: call run.log_step. ' +
      `Returns at most one run, with the new checkpoint_version (4 KB); the last ${KEPT_VERSIONS} versions are kept. ` +
      'If you need more, call run.get with checkpoint 0. ' +
      `Defaults: stored after any version. Max: state ${MAX_STATE_BYTES} bytes.`,
    input: checkpointInput,
    ...OF_KNOWN_RUN,
    answer: async (service, call, { run_id, state, expected_version = null }) =>
      service.checkpoint(call, run_id, {
        state: canonicalArgument(state, 'state', MAX_STATE_BYTES),
        expected: expected_version,
      }),
  }),
  answeredTool(ChangeRunService, {
    name: 'run.complete',
    title: 'Complete a run',
    description:
      'Use when a run that has started is done. The same call again changes nothing. ' +
      'Do not use when it did not succeed: call run.fail. ' +
      'Returns at most one run, with status completed (4 KB). ' +
      'If you need more, call run.get. ' +
      `Defaults: no result. Max: result ${MAX_RESULT_BYTES} bytes.`,
    input: completeRunInput,
    ...OF_KNOWN_RUN,
    isRepeatable: true,
    answer: async (service, call, { run_id, result, output_manifest_sha256 = null }) =>
      service.end(call, run_id, {
        status: 'completed',
        outcome: result === undefined ? null : canonicalArgument(result, 'result', MAX_RESULT_BYTES),
        outputManifest: output_manifest_sha256,
      }),
  }),
  answeredTool(ChangeRunService, {
    name: 'run.fail',
    title: 'End a run that has failed',
    description:
      'Use when a run that has started can not be completed. The same call again changes nothing. ' +
      'Do not use when you only stop it: call run.cancel. ' +
      'Returns at most one run, with status failed (4 KB). ' +
      'If you need more, call run.get. ' +
      `Defaults: no details. Max: details ${MAX_DETAILS_BYTES} bytes.`,
    input: failRunInput,
    ...OF_KNOWN_RUN,
    isRepeatable: true,
    answer: async (service, call, { run_id, error: { type, message, details } }) => {
      const given =
        details === undefined ? null : canonicalArgument(details, 'error.details', MAX_DETAILS_BYTES);
      const more = given === null ? {} : { details: JSON.parse(given) as unknown };
      const outcome = canonicalJson({ type, message, ...more });
      return service.end(call, run_id, { status: 'failed', outcome, outputManifest: null });
    },
  }),
  answeredTool(ChangeRunService, {
    name: 'run.cancel',
    title: 'Cancel a run',
    description:
      'Use when a run is no longer wanted, whether or not it has started. The same call again changes nothing. ' +
      'Do not use when it went wrong: call run.fail. ' +
      'Returns at most one run, with status cancelled (4 KB). ' +
      'If you need more, call run.get. ' +
      'Defaults: no reason. Max: reason 500 characters.',
    input: cancelRunInput,
    ...OF_KNOWN_RUN,
    isRepeatable: true,
    answer: async (service, call, { run_id, reason }) => {
      const outcome = reason === undefined ? null : canonicalJson(reason);
      return service.end(call, run_id, { status: 'cancelled', outcome, outputManifest: null });
    },
  }),
  answeredTool(ReadRunService, {
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
    ...READS_RUNS,
    budget: { bytes: 262_144, tokens: 200_000 },
    rendering: DESCRIPTION_RENDERING,
    answer: (service, call, { run_id, checkpoint = null }) => service.get(call, run_id, checkpoint),
  }),
  answeredTool(ReadRunService, {
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
    ...READS_RUNS,
    budget: { bytes: 24_576, tokens: 12_000 },
    rendering: LIST_RENDERING,
    answer: (service, call, { status = null, run_type = null, limit, cursor = null }) =>
      service.list(call, { status, type: run_type, limit, cursor }),
  }),
  answeredTool(FollowRunService, {
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
    ...READS_RUNS,
    waitsMs: MAX_WAIT_MS,
    budget: { bytes: 49_152, tokens: 24_000 },
    rendering: EVENTS_RENDERING,
    answer: (service, call, { run_id, since_sequence, types = null, limit, wait_ms }) =>
      service.events(call, { runId: run_id, since: since_sequence, types, limit, waitMs: wait_ms }),
  }),
];
