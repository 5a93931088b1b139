import { boundedText } from '../../../text/bounded-text.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 262_144;

/** Errors never quote the reply, because they are logged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON object at an address of an authorization server: at most 5 s and 256 KB, no redirects. @throws Error for any other reply */
export async function fetchJson(url: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { body, status } = await fetch(url, { ...init, redirect: 'error', signal });
  const text = await boundedText(
    body,
    MAX_BYTES,
    () => new Error(`${url} answered more than ${MAX_BYTES} bytes`),
  );
  if (status !== 200) throw new Error(`${url} answered ${status}`);
  const json = parsed(text);
  if (typeof json !== 'object' || json === null) throw new Error(`${url} did not answer a JSON object`);
  return json as Record<string, unknown>;
}
