import type { Call, Decisions } from '../../core/call.js';
import type { ApprovalDecidedEvent, ApprovalFacts, RecordedEvent } from '../ledger/ledger-event.js';
import { lineScope } from '../ledger/line-scope.js';
import type { Approval } from './approval.js';

function factsOf({ id, callId, runId, scope, ...approval }: Approval): ApprovalFacts {
  const { tool, principal, agent, rule, effect } = approval;
  return {
    approval_id: id,
    call_id: callId,
    ...(runId === undefined ? {} : { run_id: runId }),
    ...{ tool, principal, agent, rule, effect },
    ...lineScope(scope),
  };
}

/** The run of a call as requests and events hold it. */
export const runOf = ({ run }: Pick<Decisions, 'run'>): { readonly runId?: string } =>
  run === null ? {} : { runId: run };

/** For the ledger: a call waits for approval. */
export function requestedEvent(approval: Approval): RecordedEvent {
  const { version, approver, expiresAt } = approval;
  const expires_at = new Date(expiresAt).toISOString();
  return { type: 'approval.requested', ...factsOf(approval), version, approver, expires_at };
}

/** For the ledger: the newest decision about a request. */
export function decidedEvent(approval: Approval): ApprovalDecidedEvent {
  const { state, decisions } = approval;
  const last = decisions.at(-1);
  if (!last) throw new Error(`nobody has decided about approval ${approval.id}`);
  const { by, via, verdict, osUser } = last;
  const ranBy = osUser === undefined ? {} : { os_user: osUser };
  return { type: 'approval.decided', ...factsOf(approval), verdict, decided_by: by, via, ...ranBy, state };
}

/** For the ledger: a call is executed by an approval. */
export function usedEvent(
  approval: Approval,
  { id, decisions }: Pick<Call, 'id' | 'decisions'>,
): RecordedEvent {
  return { type: 'approval.used', ...factsOf({ ...approval, callId: id, ...runOf(decisions) }) };
}
