const TIMEOUT_MS = 5_000;
const MAX_BYTES = 262_144;

/** Reads the body of a reply. @throws Error if it is larger than 256 KB */
async function boundedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new Error(`the reply is larger than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** `fetch` for authorization servers: at most 5 s and 256 KB, and no redirects. */
export async function fetchFromIssuer(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  return new Response(await boundedText(response), { status: response.status });
}

/** The JSON object at an address. @throws Error for any other reply */
export async function fetchJson(url: string | URL, init?: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetchFromIssuer(url, init);
  if (response.status !== 200) throw new Error(`${String(url)} answered ${response.status}`);
  let json: unknown;
  try {
    json = await response.json();
  } catch {
    // The error of the parser would quote the reply in our log.
    throw new Error(`${String(url)} did not answer JSON`);
  }
  if (typeof json !== 'object' || json === null)
    throw new Error(`${String(url)} did not answer a JSON object`);
  return json as Record<string, unknown>;
}
