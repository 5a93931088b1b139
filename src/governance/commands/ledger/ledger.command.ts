import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { EXIT } from '../../../cli/failures.js';
import { settingsFrom } from '../../../cli/flags.js';
import { loadConfig } from '../../../cli/load-config.js';
import { plural } from '../../../cli/reports/report-lines.js';
import { toldToEnd } from '../../../cli/running/signals.js';
import type { Config } from '../../../config/config.js';
import { ledgerPlaceOf } from '../../../config/ledger-place-of.js';
import { serverSecret } from '../../../config/server-secret.js';
import { InvalidArgumentError } from '../../../core/errors.js';
import { tell } from '../../../core/stderr.js';
import { plainJson, plainLine } from '../../../text/plain-line.js';
import { clipText } from '../../../text/span.js';
import { exportLedger } from '../../ledger/export-lines.js';
import { type Ledger } from '../../ledger/ledger.js';
import {
  type ApprovalDecidedEvent,
  type CallCompletedEvent,
  isRunEvent,
  type LedgerEvent,
  type RunEvent,
} from '../../ledger/ledger-event.js';
import { type LedgerLine, type LedgerVerification, MAX_LEDGER_LINES } from '../../ledger/ledger-line.js';
import { openLedgerForReading } from '../../ledger/store/open-ledger.js';
import type { ExportFlags, LedgerFlags, VerifyFlags } from '../flags.js';

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

/** How often `tail` looks for new lines (ms). */
const FOLLOW_MS = 250;
/** Lines that `tail` begins with. */
const TAIL_LINES = 10;
const MAX_ID_SHOWN = 80;

/** Writes to stdout, at the speed of the reader. */
async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

const textOf = (line: LedgerLine, json: boolean): string =>
  `${json ? plainJson(line, 0) : ledgerLineText(line)}\n`;

/** Opens the ledger for one command. */
async function withLedger<T>(
  flags: LedgerFlags,
  work: (ledger: Ledger, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(settingsFrom({ ...flags, ledgerFile: flags.file }));
  const ledger = openLedgerForReading(config, serverSecret(config));
  try {
    return await work(ledger, config);
  } finally {
    await ledger.close();
  }
}

/** `pith ledger verify` */
export function verifyLedger(flags: VerifyFlags): Promise<number> {
  const { mark, json = false } = flags;
  return withLedger(flags, async (ledger, config) => {
    const file = ledgerPlaceOf(config);
    const result = await ledger.verify(mark);
    const text = json ? plainJson({ file, ...result }, 0) : verificationLines(result, file).join('\n');
    await print(`${text}\n`);
    return result.isIntact ? EXIT.ok : EXIT.failed;
  });
}

function unknownRun(run: string): InvalidArgumentError {
  const shown = JSON.stringify(clipText(plainLine(run), MAX_ID_SHOWN));
  return new InvalidArgumentError(`The ledger has no lines of run ${shown}.`, {
    reason: 'run_not_found',
    hint:
      'A run that a client names is recorded as NAME@PRINCIPAL; pith ledger tail --json shows the run_id of recent calls. ' +
      'Old lines are removed by retention.',
  });
}

/** `pith ledger show` */
export function showRun(runId: string, flags: LedgerFlags): Promise<void> {
  const { json = false } = flags;
  return withLedger(flags, async (ledger) => {
    for (let after = 0; ;) {
      const lines = await ledger.lines({ runId, after, from: 'oldest', limit: MAX_LEDGER_LINES });
      if (lines.length === 0 && after === 0) throw unknownRun(runId);
      await print(lines.map((line) => textOf(line, json)).join(''));
      const last = lines.at(-1);
      if (!last || lines.length < MAX_LEDGER_LINES) return;
      after = last.seq;
    }
  });
}

/** `pith ledger tail` */
export function tailLedger(flags: LedgerFlags): Promise<void> {
  const { json = false } = flags;
  return withLedger(flags, async (ledger, config) => {
    const ended = new AbortController();
    void toldToEnd().then(() => ended.abort());
    let lines = await ledger.lines({ from: 'newest', limit: TAIL_LINES });
    tell(`Following ${ledgerPlaceOf(config)}: new lines appear here. Press Ctrl+C to stop.`);
    for (let after = 0; !ended.signal.aborted;) {
      await print(lines.map((line) => textOf(line, json)).join(''));
      after = lines.at(-1)?.seq ?? after;
      if (lines.length < MAX_LEDGER_LINES)
        await pause(FOLLOW_MS, undefined, { signal: ended.signal }).catch(() => undefined);
      lines = await ledger.lines({ after, from: 'oldest', limit: MAX_LEDGER_LINES });
    }
  });
}

/** `pith ledger export` */
export function printExport(flags: ExportFlags): Promise<void> {
  return withLedger(flags, async (ledger) => {
    for await (const text of exportLedger(ledger, flags.format)) await print(text);
  });
}
