import type { Caller } from '../../core/call.js';
import { isCreatedRunId } from '../../core/ledger/created-run.js';
import type { Ledger } from '../../core/ports/ledger.port.js';
import { namedRun } from '../../mcp/pipeline/named-run.js';
import { LOCAL } from '../../mcp/principals.js';

/** Created runs whose owner is remembered; the ledger knows the others. */
const MAX_OWNERS = 10_000;

/** The run of calls that name none. */
export const runOfSession = ({ sessionId }: Caller): string => `session:${sessionId}`;

/**
 * Tells in which run of the ledger a call is recorded. What one principal names changes nothing for others:
 *
 * ```text
 * names no run                              session:ID
 * names a run that it has created           run_…
 * another name                              NAME@PRINCIPAL, or NAME if the principal is `local`
 * ```
 */
export class CallRuns {
  /** Principals of created runs. */
  private readonly owners = new Map<string, string>();

  constructor(private readonly ledger: Pick<Ledger, 'lines'>) {}

  /** @throws BackendUnavailableError if the owner of a created run can't be read */
  async runOf(caller: Caller, meta: unknown): Promise<string> {
    const named = namedRun(meta);
    if (named === null) return runOfSession(caller);
    const owner = isCreatedRunId(named) ? await this.ownerOf(named) : LOCAL.name;
    return owner === caller.principal ? named : `${named}@${caller.principal}`;
  }

  /** Null for a run that nobody has created. */
  private async ownerOf(runId: string): Promise<string | null> {
    const known = this.owners.get(runId);
    if (known !== undefined) return known;
    const [line] = await this.ledger.lines({ runId, from: 'oldest', limit: 1 });
    if (!line || !('principal' in line.event)) return null;
    const { principal } = line.event;
    this.owners.set(runId, principal);
    const [oldest] = this.owners.keys();
    if (this.owners.size > MAX_OWNERS && oldest !== undefined) this.owners.delete(oldest);
    return principal;
  }
}
