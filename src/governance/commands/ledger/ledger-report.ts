import { plural } from '../../../cli/reports/report-lines.js';
import { plainLine } from '../../../text/plain-line.js';
import {
  type ApprovalDecidedEvent,
  type CallCompletedEvent,
  isRunEvent,
  type LedgerEvent,
  type RunEvent,
} from '../../ledger/ledger-event.js';
import type { LedgerLine, LedgerVerification } from '../../ledger/ledger-line.js';

const isCompleted = (event: LedgerEvent): event is CallCompletedEvent => event.type === 'tool.call.completed';

const isDecided = (event: LedgerEvent): event is ApprovalDecidedEvent => event.type === 'approval.decided';

function decisionOf({ verdict, decided_by, via, os_user, state }: ApprovalDecidedEvent): string[] {
  const still = state === 'pending' ? ['needs another approval'] : [];
  const ranBy = os_user === undefined || os_user === decided_by ? '' : `, run by ${os_user}`;
  return [`${verdict} by ${decided_by} (${via}${ranBy})`, ...still];
}

function runFactsOf(event: RunEvent): string[] {
  const { number, data } = event;
  const given = data === undefined ? [] : [data];
  if (event.type === 'run.created')
    return [`event ${number}`, event.run_type, ...(event.name === null ? [] : [event.name]), ...given];
  if (event.type === 'run.checkpoint')
    return [`event ${number}`, `version ${event.checkpoint_version}`, `${event.bytes} bytes`];
  if (event.type !== 'run.step') return [`event ${number}`, ...given];
  const { step, step_event, success, duration_ms } = event;
  const verdict = success === undefined ? [] : [success ? 'succeeded' : 'failed'];
  const took = duration_ms === undefined ? [] : [`${duration_ms} ms`];
  return [`event ${number}`, `${step} ${step_event}`, ...verdict, ...took, ...given];
}

/** The facts of an event in a few words, such as `kb.search success 12 ms 203 tokens`. */
function factsOf(event: LedgerEvent): string[] {
  if (isCompleted(event)) {
    const { tool, outcome, executed, duration_ms, tokens, error_code, reason, approval_id } = event;
    const { calls_omitted: more } = event;
    const wasRun = executed ? [] : ['not executed'];
    const code = [outcome === 'waiting' ? null : error_code, reason].filter(
      (each) => typeof each === 'string',
    );
    const by = approval_id === undefined ? [] : [`approval ${approval_id}`];
    const others = more === undefined ? [] : [`and ${plural(more, 'more call')}`];
    return [
      tool,
      outcome,
      ...others,
      ...code,
      ...wasRun,
      `${duration_ms.toFixed(0)} ms`,
      `${tokens} tokens`,
      ...by,
    ];
  }
  if (event.type === 'configuration.changed') {
    const { what, before, after, decided_by } = event;
    return [
      what,
      `${before ?? 'none'} → ${after}`,
      ...(decided_by === undefined ? [] : [`by ${decided_by}`]),
    ];
  }
  if (event.type === 'checkpoint') return [`lines up to ${event.removed_through} were removed`];
  if (event.type === 'tool.call.started')
    return [event.tool, ...(event.arguments === undefined ? [] : [event.arguments])];
  if (event.type === 'tool.call.input_requested')
    return [event.tool, `asked by ${event.provider}`, `answer ${event.answer}`];
  if (isRunEvent(event)) return runFactsOf(event);
  return [event.tool, `approval ${event.approval_id}`, ...(isDecided(event) ? decisionOf(event) : [])];
}

function callerOf(event: LedgerEvent): string[] {
  if (!('principal' in event)) return [];
  const rule = event.rule === null ? [] : [`rule ${event.rule}`];
  return [`${event.principal} as ${event.agent}`, ...rule, `call ${event.call_id}`];
}

/** One line of the ledger as a line of text. Safe to print, also if the ledger was changed. */
export function ledgerLineText({ seq, time, event }: LedgerLine): string {
  const parts = [...factsOf(event), ...callerOf(event)];
  return plainLine(`${String(seq).padStart(7)}  ${time}  ${event.type.padEnd(21)}  ${parts.join(' · ')}`);
}

/** The step after a verification that failed. */
function nextStep({ damage }: Extract<LedgerVerification, { isIntact: false }>): string {
  if (damage === 'other_secret')
    return 'Next: verify with the secret of the server that wrote it: set PITH_SECRET, or name the index of that server with --index.';
  if (damage === 'mark')
    return 'Next: check that the mark belongs to this ledger. If it does, the ledger was replaced by an earlier copy: keep it for analysis, and look for the newer one in your backups.';
  return 'Next: keep the ledger for analysis, and compare it with a backup or an earlier export. To start a new one, move it away and restart its servers.';
}

/** The result of a verification, for people. */
export function verificationLines(result: LedgerVerification, file: string): string[] {
  if (!result.isIntact)
    return [
      `The ledger at ${file} is NOT intact.`,
      `First bad line: ${result.badSeq}. ${result.message}`,
      `${plural(result.lines, 'line')} before it ${result.lines === 1 ? 'is' : 'are'} intact.`,
      nextStep(result),
    ];
  const { head, first, lines } = result;
  if (!head) return [`The ledger at ${file} is empty.`];
  return [
    `The ledger at ${file} is intact: ${plural(lines, 'line')}, ${first} to ${head.seq}.`,
    `Mark: ${head.seq}:${head.hash}`,
  ];
}
