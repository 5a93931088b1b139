import type { Environment } from '../../config/config.js';
import { compareResults } from '../../diagnostics/report/compare-results.js';
import { differenceLines } from '../../diagnostics/report/difference-lines.js';
import { plainJson, plainLine } from '../../text/plain-line.js';
import { diagnosedCall, remarksOn } from '../reports/diagnosed-call.js';
import { runAgain, withReplaying } from '../running/run-again.js';
import type { OpenSession } from '../running/session.js';
import { findRecord, openArchive } from './diagnostics.command.js';
import type { TextFlags } from './diagnostics-program.js';

/** Where a call is made again. */
export interface Replayed {
  readonly overrides: Environment;
  readonly open: OpenSession;
}

/** `pith diagnostics replay` */
export async function replay(id: string, flags: TextFlags, { overrides, open }: Replayed): Promise<void> {
  const reading = openArchive(overrides);
  const record = await findRecord(reading, id);
  const call = diagnosedCall(record, flags);
  const { config } = reading;
  const { record: now } = await withReplaying(open, { config, record }, (replaying) =>
    runAgain(call.run, replaying),
  );
  const difference = compareResults(record, now);
  const { isSameQuery, missing } = call;
  const json = {
    diagnostic_id: record.diagnostic_id,
    tool: record.tool,
    is_same_query: isSameQuery,
    missing,
  };
  const lines = [
    `${record.tool} at ${record.timestamp}, replayed:`,
    ...remarksOn(call),
    ...differenceLines(difference),
  ];
  const text = flags.json ? plainJson({ ...json, ...difference }) : lines.map(plainLine).join('\n');
  process.stdout.write(`${text}\n`);
}
