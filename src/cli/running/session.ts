import type { Config } from '../../config/config.js';
import type { CallTool } from '../../mcp/answered-call.js';
import type { EvalServices } from '../eval/eval-services.js';

/** The application, opened in this process for the command line. */
export interface Session extends Omit<EvalServices, 'mode'> {
  readonly call: CallTool;
  readonly close: () => Promise<void>;
}

export interface SessionOptions {
  /** True if traces contain all candidates, as with `diagnostic_debug`. Default: false. */
  readonly isDebug?: boolean;
}

/** @throws InvalidConfigurationError */
export type OpenSession = (config: Config, options?: SessionOptions) => Promise<Session>;

/** Uses a session and closes it. */
export async function withSession<T>(
  opening: Promise<Session>,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await opening;
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}
