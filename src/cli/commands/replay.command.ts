import type { Environment } from '../../config/config.js';
import { compareResults } from '../../diagnostics/report/compare-results.js';
import { differenceLines } from '../../diagnostics/report/difference-lines.js';
import { plainJson, plainLine } from '../../text/plain-line.js';
import { diagnosedCall, remarksOn } from '../reports/diagnosed-call.js';
import { findRecord, openArchive } from './diagnostics.command.js';
import type { TextFlags } from './diagnostics-program.js';
import { localServices } from '../running/local-services.js';
import { runTool } from '../running/run-tool.js';

/** `pith diagnostics replay` */
export async function replay(id: string, flags: TextFlags, overrides: Environment): Promise<void> {
  const reading = openArchive(overrides);
  const record = await findRecord(reading, id);
  const session = { services: localServices(reading.config), config: reading.config };
  try {
    const call = await diagnosedCall(record, flags, session);
    const { record: now } = await runTool(call.run, session);
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
  } finally {
    await session.services.close();
  }
}
