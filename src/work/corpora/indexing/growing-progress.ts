import type { IndexRunProgress } from '../../../core/ports/index-runs.port.js';
import type { CallProgress } from '../../../mcp/call-reports.js';

/** Converts the progress of a run, which counts each phase from 0, to one number that only grows. */
export function growingProgress(
  report: (progress: CallProgress) => void,
): (progress: IndexRunProgress) => void {
  let verb = '';
  let before = 0;
  let reached = 0;
  return ({ done, total, noun, ...phase }) => {
    if (phase.verb !== verb) before = reached;
    verb = phase.verb;
    reached = Math.max(reached, before + done);
    const message = `${verb}: ${done} of ${total} ${noun}`;
    report({ progress: before + done, total: before + total, message });
  };
}
