import type { AnyTool } from '../../mcp/define-tool.js';
import { underscored } from '../../mcp/surface/surface.js';
import { OWN_PROVIDER, type RegisteredTool, registerTool, type ToolTerms } from './registered-tool.js';

/** Every tool that governance decides about: those of this server, and those that providers offer at the moment. */
export class ToolRegistry {
  private readonly byProvider = new Map<string, readonly RegisteredTool[]>();
  private byName = new Map<string, RegisteredTool>();
  private changes = 0;
  private notify: (() => void) | null = null;

  constructor(own: readonly RegisteredTool[]) {
    this.provide(OWN_PROVIDER, own);
  }

  /** In the order of the tool list: those of this server, then those of providers in the order of their first tools. */
  all(): readonly RegisteredTool[] {
    return [...this.byName.values()];
  }

  /** @param name  its canonical name */
  find(name: string): RegisteredTool | undefined {
    return this.byName.get(name);
  }

  /** Changes whenever the tools change. */
  get revision(): number {
    return this.changes;
  }

  /** Calls a function after each change. There is one listener. */
  onChange(listener: () => void): void {
    this.notify = listener;
  }

  /**
   * Replaces the tools of a provider. They are offered from the next request on.
   * @param tools  [] if it offers none at the moment
   * @throws Error if another tool has the same name in either spelling; nothing is replaced then
   */
  provide(provider: string, tools: readonly RegisteredTool[]): void {
    const next = [...new Map([...this.byProvider, [provider, tools]]).values()].flat();
    const taken = new Map<string, string>();
    for (const { name } of next) {
      const other = taken.get(underscored(name));
      if (other !== undefined) throw new Error(`two tools are named ${other} and ${name}`);
      taken.set(underscored(name), name);
    }
    this.byProvider.set(provider, tools);
    this.byName = new Map(next.map((tool) => [tool.name, tool]));
    this.changes++;
    this.notify?.();
  }
}

/** A registry of the tools of this server. */
export function ownRegistry(definitions: readonly AnyTool[], terms: ToolTerms): ToolRegistry {
  return new ToolRegistry(definitions.map((definition) => registerTool(definition, terms)));
}
