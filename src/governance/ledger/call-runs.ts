import type { Caller } from '../../core/call.js';
import type { Ledger } from '../../core/ports/ledger.port.js';

/** Runs whose owner is remembered; the ledger knows the others. */
const MAX_OWNERS = 10_000;

/** The principal of a run. */
interface RunOwner {
  readonly principal: string;
  /** False until its line is in the ledger: another server may give the run to somebody else meanwhile. */
  readonly isRecorded: boolean;
}

/** Knows the principals of runs. */
export class RunOwners {
  private readonly owners = new Map<string, RunOwner>();

  constructor(private readonly ledger: Pick<Ledger, 'lines'>) {}

  /** True if a run belongs to the caller or is new. */
  async owns(caller: Caller, run: string): Promise<boolean> {
    const known = this.owners.get(run);
    const owner = known?.isRecorded ? known : await this.firstOwner(run, caller);
    return owner.principal === caller.principal;
  }

  /** The owner in the ledger, where the oldest line decides; for a new run the first caller. */
  private async firstOwner(runId: string, { principal }: Caller): Promise<RunOwner> {
    const [line] = await this.ledger.lines({ runId, from: 'oldest', limit: 1 });
    const recorded = line && 'principal' in line.event ? line.event.principal : null;
    // Another call may have named the run meanwhile.
    const claimed = this.owners.get(runId) ?? { principal, isRecorded: false };
    const owner = recorded === null ? claimed : { principal: recorded, isRecorded: true };
    this.owners.set(runId, owner);
    const [oldest] = this.owners.keys();
    if (this.owners.size > MAX_OWNERS && oldest !== undefined) this.owners.delete(oldest);
    return owner;
  }
}
