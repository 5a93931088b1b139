import type { RunCheckpoint, StoredRun } from './run.js';
import type { RunBrief, RunDescription } from './runs.schemas.js';

const isoOf = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));
const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

/** A run in a few fields. */
export function briefOf(run: StoredRun): RunBrief {
  return {
    run_id: run.id,
    run_type: run.type,
    name: run.name,
    status: run.status,
    created_at: isoOf(run.createdAt),
    started_at: isoOrNull(run.startedAt),
    ended_at: isoOrNull(run.endedAt),
    checkpoint_version: run.checkpoint,
  };
}

/** Everything about a run. @param checkpoint  the one that was asked for; null for none */
export function describedRun(run: StoredRun, checkpoint: RunCheckpoint | null): RunDescription {
  const { status, outcome } = run;
  return {
    ...briefOf(run),
    principal: run.principal,
    agent: run.agent,
    config: parsed(run.config),
    input_manifest_sha256: run.inputManifest,
    step_schema: run.stepSchema,
    result: status === 'completed' ? parsed(outcome) : null,
    output_manifest_sha256: run.outputManifest,
    error: status === 'failed' ? parsed(outcome) : null,
    cancel_reason: status === 'cancelled' && outcome !== null ? String(parsed(outcome)) : null,
    checkpoint: checkpoint && {
      version: checkpoint.version,
      stored_at: isoOf(checkpoint.at),
      state: parsed(checkpoint.state),
    },
  };
}
