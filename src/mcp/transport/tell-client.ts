import type { Call } from '../../core/call.js';
import type { CallReports } from '../call-reports.js';

/** A call that runs this long says so, and again after the same time (ms). Clients may wait longer while they hear something. */
const TICK_MS = 2_000;

/** Reports the seconds that a call has run, for tools without progress of their own. @returns ends the reports */
export function reportSeconds(reports: CallReports, tool: string): () => void {
  if (!reports.wantsProgress) return () => undefined;
  const begunAt = performance.now();
  const tick = (): void => {
    const progress = Math.round((performance.now() - begunAt) / 1000);
    reports.progress({ progress, message: `${tool} is running` });
  };
  const timer = setInterval(tick, TICK_MS).unref();
  return () => clearInterval(timer);
}

/** Logs to the client how its call went: times and codes, no arguments and no texts. @param name  of the tool or method */
export function logOutcome(reports: CallReports, { id, trace, elapsed }: Call, name: string): void {
  for (const stage of trace.degraded)
    reports.log('warning', 'A part of the call failed; the rest was answered.', { call: id, part: stage });
  if (trace.failure) {
    const { code, reason } = trace.failure;
    reports.log('error', 'The call failed.', { call: id, name, code, reason });
  }
  const ms = Math.round(elapsed());
  reports.log('debug', 'The call is answered.', { call: id, name, ms, ...trace.counts });
}
