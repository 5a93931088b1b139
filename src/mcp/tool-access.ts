import type { Call, Caller } from '../core/call.js';
import { ScopeViolationError } from '../core/errors.js';
import type { AnyTool } from './define-tool.js';

/** The part of a caller that decides which tools it is offered. */
export type Actor = Pick<Caller, 'agent' | 'principal' | 'permissions' | 'tools'>;

/** Decides which tools a caller is offered. */
export abstract class ToolAccess {
  /** Canonical names of tools by alias. Aliases are answered but not listed. */
  abstract readonly aliases: ReadonlyMap<string, string>;
  /** @param tool  its canonical name */
  abstract offers(actor: Actor, tool: string): boolean;
  /** Records for the run ledger why the caller is not offered a tool. @param tool  its canonical name */
  abstract noteRefusal(call: Call, tool: string): void;
  /** True if a call of the tool would be allowed now without an approval, on these documents. @param tool  its canonical name */
  abstract allows(caller: Caller, tool: string, situation: Pick<Call, 'scope' | 'now'>): boolean;
  /**
   * Checks a call before it is executed.
   * @param tool  the called tool, or the one that returns the content of a resource or prompt; its canonical name
   * @throws ScopeViolationError `permission_denied`
   */
  abstract check(call: Call, tool: string): void;
  /** Makes tools known that are imported after the start, because they are off. */
  add?(definitions: readonly AnyTool[]): void;
}

/** Offers every tool to everybody. */
export const OPEN_ACCESS: ToolAccess = {
  aliases: new Map(),
  offers: () => true,
  noteRefusal: () => undefined,
  allows: () => true,
  check: () => undefined,
};

/** The error for a caller without a right that its call needs. */
export const notPermitted = (tool: string, hint: string): ScopeViolationError =>
  new ScopeViolationError(`${tool} with these arguments is not permitted to this caller.`, {
    reason: 'permission_denied',
    hint,
  });

export const PRINCIPAL_HINT = 'Ask for less content. The operator can permit more tools in the access file.';

/**
 * The access to a server that nothing governs: callers are offered the tools that read and that their permissions allow,
 * except those that an agent has to be given by name.
 */
export class PermissionAccess implements ToolAccess {
  readonly aliases: ReadonlyMap<string, string> = new Map();
  private readonly permissions = new Map<string, AnyTool['permission']>();

  /** @param agent  the only agent that callers act as */
  constructor(
    definitions: readonly AnyTool[],
    private readonly agent: string,
  ) {
    this.add(definitions);
  }

  add(definitions: readonly AnyTool[]): void {
    for (const { name, permission, safety = 'read', capability } of definitions)
      if (safety === 'read' && capability === undefined) this.permissions.set(name, permission);
  }

  offers({ permissions, tools, agent }: Actor, tool: string): boolean {
    const needed = this.permissions.get(tool);
    // An access file limits tools and names agents, and then governance decides.
    if (tools !== null || agent !== this.agent) return false;
    return needed !== undefined && permissions.includes(needed);
  }

  noteRefusal(): void {
    // Only the run ledger records refusals, and then governance decides.
  }

  allows(caller: Caller, tool: string): boolean {
    return this.offers(caller, tool);
  }

  check({ caller }: Pick<Call, 'caller'>, tool: string): void {
    if (!this.offers(caller, tool)) throw notPermitted(tool, PRINCIPAL_HINT);
  }
}
