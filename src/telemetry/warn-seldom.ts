import type { DiagLogger } from '@opentelemetry/api';

/** Minimum time between warnings (ms). Without it, every batch would cause a warning while the collector is down. */
const EVERY_MS = 60_000;
const MAX_CHARS = 200;

/** The message of an error, which the SDK reports as JSON with a stack trace. */
function firstMessage(message: string): string {
  if (!message.startsWith('{')) return message;
  try {
    const told: unknown = JSON.parse(message);
    return typeof told === 'object' && told !== null && 'message' in told ? String(told.message) : message;
  } catch {
    // Not JSON, though it starts like JSON.
    return message;
  }
}

/** Warns of the SDK's own errors, at most once a minute, with the number of suppressed ones. @param now  as `steadyNow` */
export function warnSeldom(warn: (message: string) => void, now: () => number): DiagLogger {
  let lastAt = -Infinity;
  let unsaid = 0;
  const say = (message: string): void => {
    if (now() - lastAt < EVERY_MS) {
      unsaid++;
      return;
    }
    const more = unsaid === 0 ? '' : ` (and ${unsaid} more since the last warning)`;
    const shown = firstMessage(message).replace(/\s+/g, ' ').slice(0, MAX_CHARS);
    lastAt = now();
    unsaid = 0;
    warn(`telemetry: ${shown}${more}`);
  };
  const nothing = (): void => undefined;
  return { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing };
}
