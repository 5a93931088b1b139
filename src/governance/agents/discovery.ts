import type { RegisteredTool } from '../registry/registered-tool.js';
import type { ToolRegistry } from '../registry/tool-registry.js';
import { type ActingAgent, type Withheld, withheldBy } from './discover-tools.js';
import type { Governance } from './governance-file.js';

/** Agents and principals that are remembered; there are rarely more. */
const MAX_REMEMBERED = 1_000;

/**
 * Remembers which tools each agent is offered for each principal. A list of tools asks for every tool, and again for every
 * tool that a description names.
 */
export class Discovery {
  private readonly remembered = new Map<string, Map<string, Withheld | null>>();
  private revision = 0;

  constructor(
    private readonly governance: Governance,
    private readonly registry: ToolRegistry,
  ) {}

  /** False for an unknown tool. */
  offers(acting: ActingAgent, tool: string): boolean {
    const registered = this.registry.find(tool);
    return registered !== undefined && this.withheld(acting, registered) === null;
  }

  /** Why a tool of the registry is not offered; null if it is offered. */
  withheld(acting: ActingAgent, tool: RegisteredTool): Withheld | null {
    const offered = this.rememberedOf(acting);
    const known = offered.get(tool.name);
    if (known !== undefined) return known;
    const withheld = withheldBy(this.governance, acting, tool);
    offered.set(tool.name, withheld);
    return withheld;
  }

  /**
   * Why a call is not offered that asks for the content of further tools: the principal and the mounts have to permit all
   * of them, the capabilities at least one.
   */
  withheldWith(acting: ActingAgent, tool: RegisteredTool, further: readonly string[]): Withheld | null {
    const own = this.withheld(acting, tool);
    if (own !== null || further.length === 0) return own;
    const reasons = further.map((name) => {
      const found = this.registry.find(name);
      return found ? this.withheld(acting, found) : 'capability';
    });
    const refusal = reasons.find((reason) => reason === 'principal' || reason === 'mount');
    return refusal ?? (reasons.every((reason) => reason === 'capability') ? 'capability' : null);
  }

  private rememberedOf({ name, principal, permissions, tools }: ActingAgent): Map<string, Withheld | null> {
    const { revision } = this.registry;
    if (revision !== this.revision || this.remembered.size > MAX_REMEMBERED) this.remembered.clear();
    this.revision = revision;
    const key = JSON.stringify([name, principal, permissions, tools]);
    const offered = this.remembered.get(key) ?? new Map<string, Withheld | null>();
    this.remembered.set(key, offered);
    return offered;
  }
}
