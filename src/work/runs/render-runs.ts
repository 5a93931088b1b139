import { type Ref, restLines } from '../../core/reply.js';
import type { Rendering } from '../../mcp/define-tool.js';
import { escapedLine, plainJson, quotedLine } from '../../text/plain-line.js';
import {
  type RunBrief,
  type RunDescription,
  type RunEventsPage,
  type RunListing,
  runOutput,
  type ShownEvent,
} from './runs.schemas.js';

const refOf = ({ run_id: id }: Pick<RunBrief, 'run_id'>): Ref => ({ type: 'run', id });

function briefText({ run_id, run_type, name, status, checkpoint_version: version }: RunBrief): string {
  const named = name === null ? run_type : `${run_type} ${quotedLine(name)}`;
  const stored = version === 0 ? '' : `, checkpoint ${version}`;
  return `${run_id} ${named}: ${status}${stored}`;
}

/** A run after a change. */
const BRIEF_RENDERING: Rendering<RunBrief> = {
  refs: (run) => [refOf(run)],
  full: briefText,
  summary: briefText,
};

/** Common parts of the definitions of tools that change a run. */
export const RUN_CHANGE = {
  output: runOutput,
  feature: 'run',
  isCore: false,
  permission: 'read',
  safety: 'write',
  mounts: ['work'],
  budget: { bytes: 4_096, tokens: 1_600 },
  rendering: BRIEF_RENDERING,
} as const;

function field(name: string, value: unknown): string[] {
  return value === null || value === undefined ? [] : [`${name}: ${plainJson(value, 0)}`];
}

function descriptionText(run: RunDescription): string {
  const { checkpoint } = run;
  return [
    briefText(run),
    `of ${run.principal} as ${run.agent}, created ${run.created_at}`,
    ...field('config', run.config),
    ...field('input manifest', run.input_manifest_sha256),
    ...field('schema of steps', run.step_schema),
    ...field('result', run.result),
    ...field('output manifest', run.output_manifest_sha256),
    ...field('error', run.error),
    ...field('cancelled because', run.cancel_reason),
    ...(checkpoint ? [`checkpoint ${checkpoint.version} of ${checkpoint.stored_at}:`] : []),
    ...(checkpoint ? [plainJson(checkpoint.state, 0)] : []),
  ].join('\n');
}

/** Everything about a run. */
export const DESCRIPTION_RENDERING: Rendering<RunDescription> = {
  refs: (run) => [refOf(run)],
  full: descriptionText,
  summary: briefText,
};

/** A page of runs. */
export const LIST_RENDERING: Rendering<RunListing> = {
  refs: ({ runs }) => runs.map(refOf),
  full: ({ runs, ...page }) =>
    [
      `${runs.length} runs.`,
      ...runs.map((run) => `${briefText(run)}, created ${run.created_at}`),
      ...restLines(page),
    ].join('\n'),
  summary: ({ runs }) => `${runs.length} runs.`,
};

function eventText(event: ShownEvent): string {
  const { sequence, time, type, tool, step, step_event, success, outcome, checkpoint_version, data } = event;
  const facts = [
    ...(type.startsWith('run.') ? [] : [tool]),
    ...(step === undefined ? [] : [`${quotedLine(step)} ${step_event ?? ''}`]),
    ...(success === undefined ? [] : [success ? 'succeeded' : 'failed']),
    ...(outcome === undefined ? [] : [outcome]),
    ...(checkpoint_version === undefined ? [] : [`version ${checkpoint_version}`]),
    ...(data === undefined ? [] : [escapedLine(data, Infinity)]),
  ];
  return [`${sequence} ${time} ${type}`, ...facts].join(' · ');
}

/** A part of the events of a run. */
export const EVENTS_RENDERING: Rendering<RunEventsPage> = {
  refs: (page) => [refOf(page)],
  full: ({ status, events, next_since_sequence: next, has_more: hasMore, skipped }) =>
    [
      `The run is ${status}. ${events.length} events.`,
      ...events.map(eventText),
      ...restLines({ partial: false, skipped }),
      `${hasMore ? 'More are there' : 'Later ones'}: since_sequence ${next}`,
    ].join('\n'),
  summary: ({ status, events, next_since_sequence: next }) =>
    `The run is ${status}. ${events.length} events; later ones: since_sequence ${next}`,
};
