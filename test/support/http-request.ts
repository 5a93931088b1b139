import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly agent?: Agent;
}

export interface RawResponse {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Headers of every POST of an MCP client. */
export const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

/** Sends an HTTP request with exactly these headers; `fetch` doesn't allow setting `Host`. */
export function httpRequest(url: string, options: RawRequest = {}): Promise<RawResponse> {
  const { method = 'POST', headers = MCP_HEADERS, body, agent } = options;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: agent ?? false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(parts).toString(),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
