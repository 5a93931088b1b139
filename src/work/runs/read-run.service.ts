import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import type { Call } from '../../core/call.js';
import { decodeCursor, encodeCursor } from '../../core/cursor.js';
import { keptOf, listReply, type Reply, shownSkipped, wholeReply } from '../../core/reply.js';
import { recordsWithin } from '../../core/scope.js';
import { projectOf } from '../work-space.js';
import {
  notOwner,
  type RunCheckpoint,
  type RunKey,
  type RunStatus,
  type StoredRun,
  unknownCheckpoint,
  unknownRun,
} from './run.js';
import { RunStore } from './run-store.js';
import type { RunBrief, RunDescription, RunListing } from './runs.schemas.js';

/** A run of the caller. */
export function ownKey(call: Call, id: string): RunKey {
  return { id, ...projectOf(call), principal: call.caller.principal };
}

/** A run that the caller may read: operators read those of others, within their scope. */
export function readableKey(call: Call, id: string): RunKey {
  const { caller, scope } = call;
  const own = ownKey(call, id);
  if (!caller.isOperator) return own;
  const orWithin = recordsWithin(caller.scopeLimit, scope);
  return orWithin === null ? { ...own, principal: null } : { ...own, orWithin };
}

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
function describedRun(run: StoredRun, checkpoint: RunCheckpoint | null): RunDescription {
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

/** A page of the list of runs. */
interface RunsPage {
  /** Null for all, as with the type. */
  readonly status: RunStatus | null;
  readonly type: string | null;
  readonly limit: number;
  /** Null for the first page. */
  readonly cursor: string | null;
}

/** Reads runs of the caller; operators read those of all principals, without the states of checkpoints. */
@Injectable()
export class ReadRunService {
  constructor(
    private readonly store: RunStore,
    private readonly signing: ServerSecret,
  ) {}

  /**
   * @param version  of the checkpoint whose state is returned; 0 for the latest, null for none
   * @throws InvalidArgumentError `run_not_found`, `checkpoint_not_found`; ScopeViolationError `not_owner`
   */
  async get(call: Call, runId: string, version: number | null): Promise<Reply<RunDescription>> {
    const run = await this.store.get(readableKey(call, runId));
    if (!run) throw unknownRun();
    const checkpoint = version === null ? null : await this.checkpointOf(call, run, version);
    return wholeReply(describedRun(run, checkpoint));
  }

  /** @throws InvalidArgumentError for a bad cursor, or one of another list */
  async list(call: Call, { status, type, limit, cursor }: RunsPage): Promise<Reply<RunListing>> {
    const { id: _, ...seen } = readableKey(call, '');
    const question = ['run.list', status, type, seen];
    const binding = { question, principal: call.caller.principal, generation: '' };
    const { secret } = this.signing;
    const found = await this.store.list({
      ...seen,
      ...(status === null ? {} : { status }),
      ...(type === null ? {} : { type }),
      ...(cursor === null ? {} : { after: decodeCursor(cursor, binding, secret) }),
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    return listReply({ count: page.length, maxChars: 0, isPage: true }, (fit) => {
      const hasMore = fit.count < found.length;
      const last = page[fit.count - 1]?.position;
      return {
        runs: keptOf(page, fit).map(({ run }) => ({ ...briefOf(run), principal: run.principal })),
        partial: hasMore || fit.reason !== null,
        limit_reason: fit.reason ?? (hasMore ? 'page_size' : 'none'),
        next_cursor: hasMore && last !== undefined ? encodeCursor(last, binding, secret) : null,
        ...shownSkipped(fit),
      };
    });
  }

  private async checkpointOf({ caller }: Call, run: StoredRun, version: number): Promise<RunCheckpoint> {
    const { id, projectId, environment, principal } = run;
    if (principal !== caller.principal) throw notOwner();
    const found = await this.store.checkpoint({ id, projectId, environment, principal }, version);
    if (!found) throw unknownCheckpoint(run);
    return found;
  }
}
