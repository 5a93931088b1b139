import type { ToolRegistry } from '../registry/tool-registry.js';
import { type ActingAgent, withheldBy } from './discover-tools.js';
import type { Governance } from './governance-file.js';

/** Agents and principals that are remembered; there are rarely more. */
const MAX_REMEMBERED = 1_000;

/**
 * Remembers which tools each agent is offered for each principal. A list of tools asks for every tool, and again for every
 * tool that a description names.
 */
export class Discovery {
  private readonly remembered = new Map<string, Map<string, boolean>>();
  private revision = 0;

  constructor(
    private readonly governance: Governance,
    private readonly registry: ToolRegistry,
  ) {}

  /** False for an unknown tool. */
  offers(acting: ActingAgent, tool: string): boolean {
    const registered = this.registry.find(tool);
    if (!registered) return false;
    const offered = this.offeredTo(acting);
    const known = offered.get(tool);
    if (known !== undefined) return known;
    const isOffered = withheldBy(this.governance, acting, registered) === null;
    offered.set(tool, isOffered);
    return isOffered;
  }

  private offeredTo({ name, principal, permissions, tools }: ActingAgent): Map<string, boolean> {
    const { revision } = this.registry;
    if (revision !== this.revision || this.remembered.size > MAX_REMEMBERED) this.remembered.clear();
    this.revision = revision;
    const key = JSON.stringify([name, principal, permissions, tools]);
    const offered = this.remembered.get(key) ?? new Map<string, boolean>();
    this.remembered.set(key, offered);
    return offered;
  }
}
