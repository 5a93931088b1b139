import { DiagnosticWriter } from '../../src/diagnostics/archive/diagnostic-writer.js';
import type { DiagnosticRecord } from '../../src/diagnostics/record/diagnostic-record.js';
import { httpRequest, type RawResponse } from './http-request.js';
import { type CallResult, connectClient, type HttpProcess, startHttpProcess } from './mcp-clients.js';
import { pithIndex } from './processes.js';
import { FIXTURE_CORPUS, testFolder } from './test-folder.js';

export const ADMIN_TOKEN = 'the-operators-token';

/** The project of the fixture corpus; operators see no other projects. */
const OF_FIXTURES = { project_id: 'harbour', environment: 'dev' };

/** A server with the admin console that records every retrieval. */
export interface OperatorsServer {
  readonly server: HttpProcess;
  /** The path of a file beside the index. */
  readonly file: (name: string) => string;
  /** The URL of a path. */
  readonly at: (path: string) => string;
  /** Sends a request as an operator, unless the headers differ. */
  readonly get: (path: string, headers?: Record<string, string>) => Promise<RawResponse>;
  /** Calls tools in sequence, with a real client. */
  readonly call: (
    ...calls: readonly (readonly [tool: string, args: Record<string, unknown>])[]
  ) => Promise<CallResult[]>;
  /** Writes records to the diagnostics folder, like another process. */
  readonly write: (records: readonly DiagnosticRecord[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts such a server with the fixture corpus. */
export async function startOperatorsServer(env: Record<string, string> = {}): Promise<OperatorsServer> {
  const folder = testFolder();
  const [index, diagnostics] = [folder.file('index.sqlite'), folder.file('diagnostics')];
  await pithIndex(FIXTURE_CORPUS, index);
  const server = await startHttpProcess(index, {
    PITH_ADMIN_TOKEN: ADMIN_TOKEN,
    RETRIEVAL_DIAGNOSTICS_DIR: diagnostics,
    RETRIEVAL_DIAGNOSTICS_FORCE: '1',
    // Built records have old dates.
    RETRIEVAL_DIAGNOSTICS_RETENTION_DAYS: '0',
    ...env,
  });
  const at = (path: string): string => new URL(path, server.url).href;
  return {
    server,
    file: folder.file,
    at,
    get: (path, headers = { authorization: `Bearer ${ADMIN_TOKEN}` }) =>
      httpRequest(at(path), { method: 'GET', headers }),
    call: async (...calls) => {
      const client = await connectClient({ era: 'v1', transport: 'http', index, url: server.url });
      const results: CallResult[] = [];
      for (const [tool, args] of calls) results.push(await client.call(tool, args));
      await client.close();
      return results;
    },
    write: async (records) => {
      const failures: unknown[] = [];
      const writer = new DiagnosticWriter({
        folder: diagnostics,
        onFailure: (error) => failures.push(error),
      });
      for (const record of records) writer.write({ ...record, scope: { ...record.scope, ...OF_FIXTURES } });
      await writer.flush();
      if (failures.length > 0) throw failures[0];
    },
    stop: async () => {
      await server.stop();
      folder.remove();
    },
  };
}

/** The id of a call, which is also the id of its diagnostic. */
export function diagnosticIdOf({ _meta }: CallResult): string {
  return String(_meta?.['pith/tool_call_id'] ?? '');
}
