import { join } from 'node:path';
import { DiagnosticArchive } from '../../src/diagnostics/archive/diagnostic-archive.js';
import type { DiagnosticRecord } from '../../src/diagnostics/record/diagnostic-record.js';
import { connectClient } from './mcp-clients.js';
import { poll } from './processes.js';

type Arguments = Record<string, unknown>;

/** A tool call; its arguments can depend on the result of the previous call. */
export type Asked = readonly [tool: string, args: Arguments | ((before: Arguments) => Arguments)];

export interface Diagnosing {
  readonly index: string;
  /** Folder for the diagnostics. */
  readonly dir: string;
  readonly env?: Record<string, string>;
}

/**
 * Calls a real server over STDIO that writes a diagnostic for every call.
 * @returns the records, in the order of the calls
 */
export async function diagnosed(
  { index, dir, env = {} }: Diagnosing,
  ...calls: readonly Asked[]
): Promise<DiagnosticRecord[]> {
  const force = {
    RETRIEVAL_DIAGNOSTICS_DIR: dir,
    RETRIEVAL_DIAGNOSTICS_FORCE: '1',
    MCP_LEGACY_TOOLS: 'listed',
  };
  const client = await connectClient({ era: 'v2', transport: 'stdio', index, env: { ...force, ...env } });
  const ids: string[] = [];
  let before: Arguments = {};
  try {
    for (const [tool, args] of calls) {
      const made = typeof args === 'function' ? args(before) : args;
      const { _meta, structuredContent = {} } = await client.call(tool, made);
      before = structuredContent;
      ids.push(String(_meta?.['pith/tool_call_id']));
    }
  } finally {
    await client.close();
  }
  const archive = new DiagnosticArchive(dir);
  const written = async (id: string) => (await archive.find(id)) ?? undefined;
  return Promise.all(ids.map((id) => poll(`the diagnostic ${id} in ${dir}`, () => written(id))));
}

/** Writes the golden set of diagnostics to a folder, as a server would. */
export const GOLDEN = join(__dirname, '..', '..', 'reports', 'fixtures');
