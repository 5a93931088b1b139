import type { Config } from '../../config/config.js';
import { tell } from '../../core/stderr.js';
import type { AnyTool } from '../../mcp/define-tool.js';

/** Wait after the start, so that the first calls are not delayed (ms). */
const CHECK_AFTER_MS = 500;

type LoadTools = () => Promise<readonly AnyTool[]>;

async function warn(config: Config, accessFile: string, load: LoadTools): Promise<void> {
  // Loaded only for a server with files of governance, or with tools that need one.
  const [tools, { openGovernance }, { fileWarnings }] = await Promise.all([
    load(),
    import('./open-governance.js'),
    import('./access-warnings.js'),
  ]);
  const found = await fileWarnings(await openGovernance(config, tools), accessFile);
  // Notes are about parts that can't be checked yet, which is usual when a server starts.
  tell(...found.filter((line) => line.startsWith('warning')).map((line) => `pith: ${line}`));
}

/** Checks the governance of a server that has started, as `pith governance check` does, and prints warnings. */
export function warnLater(config: Config, accessFile: string, tools: LoadTools): () => void {
  const hasFiles = config.governance.file !== '' || accessFile !== '';
  if (!hasFiles && config.domains.offered.length === 0) return () => undefined;
  const check = (): void =>
    // A server whose check fails serves all the same.
    void warn(config, accessFile, tools).catch((error: unknown) =>
      tell(`pith: warning: the files of governance could not be checked: ${String(error)}`),
    );
  const timer = setTimeout(check, CHECK_AFTER_MS).unref();
  return () => clearTimeout(timer);
}
