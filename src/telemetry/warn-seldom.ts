import type { DiagLogger } from '@opentelemetry/api';

/** Otherwise a collector that is down would cause a warning with every batch. */
const EVERY_MS = 60_000;
const MAX_CHARS = 200;

/** The SDK reports errors as JSON with stack traces; one line is enough. */
function inShort(message: string): string {
  return firstMessage(message).replace(/\s+/g, ' ').slice(0, MAX_CHARS);
}

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

/**
 * Sends the SDK's own errors to `warn`, at most one a minute, with the number of suppressed ones.
 * @param now  milliseconds since the epoch
 */
export function warnSeldom(warn: (message: string) => void, now: () => number): DiagLogger {
  let lastAt = -Infinity;
  let unsaid = 0;
  const say = (message: string): void => {
    if (now() - lastAt < EVERY_MS) {
      unsaid++;
      return;
    }
    const more = unsaid === 0 ? '' : ` (and ${unsaid} more since the last warning)`;
    lastAt = now();
    unsaid = 0;
    warn(`telemetry: ${inShort(message)}${more}`);
  };
  const nothing = (): void => undefined;
  return { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing };
}
