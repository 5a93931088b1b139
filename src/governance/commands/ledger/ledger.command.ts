import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { EXIT } from '../../../cli/failures.js';
import { settingsFrom } from '../../../cli/flags.js';
import { loadConfig } from '../../../cli/load-config.js';
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
import { type LedgerLine, MAX_LEDGER_LINES } from '../../ledger/ledger-line.js';
import { openLedgerForReading } from '../../ledger/store/open-ledger.js';
import type { ExportFlags, LedgerFlags, VerifyFlags } from '../flags.js';
import { ledgerLineText, verificationLines } from './ledger-report.js';

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
