import type { Call, CallFailure } from '../../core/call.js';
import { isRefusal, isWaiting } from '../../core/errors.js';
import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';
import type { CallCompletedEvent, CallOutcome, LedgerCallFacts } from './ledger-event.js';
import { lineScope } from './line-scope.js';

function outcomeOfFailure(error: CallFailure, isExecuted: boolean): CallOutcome {
  if (error.code === 'TIMEOUT') return 'timed_out';
  if (isWaiting(error)) return 'waiting';
  if (error.code === 'SCOPE_VIOLATION') return 'refused';
  if (isExecuted || !isRefusal(error)) return 'error';
  return error.code === 'INVALID_ARGUMENT' ? 'invalid' : 'refused';
}

/** True if the policy or discovery refused the call. The caller of a tool that is not offered is told that it does not exist. */
const isDenied = ({ decisions }: Call): boolean => decisions.policy?.effect === 'deny';

function outcomeOf({ call, isCancelled, error }: FinishedCall, isExecuted: boolean): CallOutcome {
  if (isCancelled) return 'cancelled';
  if (isDenied(call)) return 'refused';
  if (error) return outcomeOfFailure(error, isExecuted);
  // A call of an unknown tool is a protocol error, which has no error code.
  return isExecuted ? 'success' : 'invalid';
}

/** Absent for a call that did not fail. */
function reasonOf({ call, isCancelled, error }: FinishedCall): Pick<CallCompletedEvent, 'reason'> {
  const reason = isCancelled ? undefined : (call.decisions.refusedAs ?? error?.reason);
  return reason === undefined ? {} : { reason };
}

/** The facts of a call that all its lines have. */
export function ledgerFactsOf({ id, caller, decisions, scope }: Call, tool: string): LedgerCallFacts {
  const { principal, agent } = caller;
  const { rule = null, effect = null } = decisions.policy ?? {};
  return {
    call_id: id,
    run_id: decisions.run,
    tool,
    principal,
    agent,
    rule,
    effect,
    ...lineScope(scope, caller.scopeLimit),
  };
}

/**
 * The last line of a call.
 * @param omitted  number of further calls that it stands for
 */
export function completedEvent(finished: FinishedCall, run_id: string, omitted = 0): CallCompletedEvent {
  const { call, start, usage, durationMs, error } = finished;
  const executed = call.decisions.isStarted;
  return {
    type: 'tool.call.completed',
    ...ledgerFactsOf(call, start.tool ?? start.requestedTool ?? call.decisions.policy?.tool ?? start.method),
    run_id,
    outcome: outcomeOf(finished, executed),
    executed,
    refs: call.trace.refs,
    bytes: usage.bytes,
    tokens: usage.tokens,
    duration_ms: Math.round(durationMs * 1_000) / 1_000,
    error_code: isDenied(call) ? 'SCOPE_VIOLATION' : (error?.code ?? null),
    ...reasonOf(finished),
    ...(omitted > 0 ? { calls_omitted: omitted } : {}),
    ...(call.decisions.approvalId === null ? {} : { approval_id: call.decisions.approvalId }),
  };
}
