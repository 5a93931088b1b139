import { compareResults, differenceLines } from '../../diagnostics/report/compare-results.js';
import { plainJson, plainLine } from '../../text/plain-line.js';
import type { TextFlags } from '../flags.js';
import { print } from '../print.js';
import { diagnosedCall, remarksOn, runAgain, withReplaying } from '../running/run-again.js';
import type { OpenSession } from '../running/session.js';
import { findRecord, openArchive } from './diagnostics.command.js';

/** `pith diagnostics replay` */
export async function replay(id: string, flags: TextFlags, open: OpenSession): Promise<void> {
  const reading = openArchive(flags);
  const { config } = reading;
  const record = await findRecord(reading, id);
  const call = diagnosedCall(record, flags);
  const { record: now } = await withReplaying(open, { config, record }, (replaying) =>
    runAgain(call.run, replaying),
  );
  const difference = compareResults(record, now);
  const { diagnostic_id, tool, timestamp } = record;
  const { isSameQuery, missing } = call;
  const json = { diagnostic_id, tool, is_same_query: isSameQuery, missing, ...difference };
  const lines = [`${tool} at ${timestamp}, replayed:`, ...remarksOn(call), ...differenceLines(difference)];
  print(...(flags.json ? [plainJson(json)] : lines.map(plainLine)));
}
