import type { McpTransport } from '@rekog/mcp-nest';

/** How this process serves, as its entry point defines it. */
export abstract class Serving {
  abstract readonly transport: McpTransport;
  /** How long shutdown waits for diagnostics and telemetry (ms). */
  abstract readonly flushMs: number;
}
