import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { McpHttpHandler } from '@rekog/mcp-nest';
import type { Request } from 'express';
import type { CallerRules } from '../pipeline/caller-identity.js';
import type { Principal } from '../principals.js';

/** The parameters of a call of a tool. */
export interface ToolCallParams {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly _meta: Readonly<Record<string, unknown>>;
}

/**
 * Calls a tool for an HTTP request that is not a message of MCP, through the same pipeline.
 * @returns the answer as JSON-RPC; null if the sender has left before it was made
 */
export type ToolCaller = (request: Request, params: ToolCallParams) => Promise<JSONRPCMessage | null>;

/** The MCP server of one project. */
export interface ProjectServer {
  readonly handler: McpHttpHandler;
  readonly callTool: ToolCaller;
  readonly rules: CallerRules;
}

/** The projects that one HTTP server answers for. */
export class ProjectServers {
  /**
   * @param own  of the server's own project, for all principals without another one
   * @param others  by project id
   */
  constructor(
    private readonly own: ProjectServer,
    private readonly others: ReadonlyMap<string, ProjectServer>,
  ) {}

  /** The server that answers a principal. */
  of(principal: Principal): ProjectServer {
    return this.otherOf(principal) ?? this.own;
  }

  /** True if a principal belongs to a further project. */
  isOfOther(principal: Principal): boolean {
    return this.otherOf(principal) !== undefined;
  }

  private otherOf({ scope }: Principal): ProjectServer | undefined {
    return scope.project_id === undefined ? undefined : this.others.get(scope.project_id);
  }
}
