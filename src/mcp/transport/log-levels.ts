import type { LoggingLevel, McpServer } from '@modelcontextprotocol/server';

/** Sessions whose level is kept; the one that set its level first is forgotten first. */
const MAX_SESSIONS = 10_000;

/** The log level that each client has set: of a connection, or of a session over HTTP. */
export class LogLevels {
  private readonly ofSession = new Map<string, LoggingLevel>();
  private readonly ofConnection = new WeakMap<McpServer, LoggingLevel>();

  /** @param session  null without a session id */
  set(server: McpServer, session: string | null, level: LoggingLevel): void {
    if (session === null) {
      this.ofConnection.set(server, level);
      return;
    }
    this.ofSession.delete(session);
    this.ofSession.set(session, level);
    const [oldest] = this.ofSession.keys();
    if (this.ofSession.size > MAX_SESSIONS && oldest !== undefined) this.ofSession.delete(oldest);
  }

  /** Null if the client has set none: then it gets no messages. */
  get(server: McpServer, session: string | null): LoggingLevel | null {
    return (session === null ? this.ofConnection.get(server) : this.ofSession.get(session)) ?? null;
  }
}
