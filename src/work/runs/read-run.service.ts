import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import type { Call } from '../../core/call.js';
import { decodeCursor, encodeCursor } from '../../core/cursor.js';
import { keptOf, listReply, type Reply, shownSkipped, wholeReply } from '../../core/reply.js';
import type { RunCheckpoint, RunStatus, StoredRun } from './run.js';
import { notOwner, unknownCheckpoint, unknownRun } from './run-failures.js';
import { readableKey } from './run-keys.js';
import { RunStore } from './run-store.js';
import { briefOf, describedRun } from './run-view.js';
import type { RunDescription, RunListing } from './runs.schemas.js';

/** A page of the list of runs. */
export interface RunsPage {
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
