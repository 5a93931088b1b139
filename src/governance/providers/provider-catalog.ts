import type { SchemaCompiler } from './json-schema-check.js';
import type { ProviderPins } from './provider-pins.js';
import { acceptedTools, type ReviewedTool, reviewTools } from './review-tools.js';
import { type ListedTool, parseSnapshot, type ProviderTool } from './tool-snapshot.js';

interface CatalogParts {
  readonly pins: ProviderPins;
  /** Names of Pith's own tools, older names and aliases. */
  readonly taken: readonly string[];
  readonly compile: SchemaCompiler;
}

interface Provided {
  readonly listed: readonly ListedTool[];
  readonly reviewed: readonly ReviewedTool[];
  readonly tools: readonly ProviderTool[];
}

const sameTools = (a: readonly ProviderTool[], b: readonly ProviderTool[]): boolean =>
  a.map(({ name, definitionHash }) => `${name} ${definitionHash}`).join() ===
  b.map(({ name, definitionHash }) => `${name} ${definitionHash}`).join();

/** Which tools of providers can be called: those that are listed as an operator has accepted them. */
export class ProviderCatalog {
  private readonly provided = new Map<string, Provided>();
  private revision = -1;

  constructor(private readonly parts: CatalogParts) {}

  /**
   * Stores the list of a provider. If that fails, none of its tools is callable.
   * @returns the tools that can be called
   * @throws BackendUnavailableError if the pins can't be read or written
   */
  async note(provider: string, listed: readonly ListedTool[]): Promise<readonly ProviderTool[]> {
    const { pins } = this.parts;
    this.provided.delete(provider);
    const known = await pins.pins(provider);
    const provided = this.reviewed(provider, listed, known);
    await pins.note(provider, provided.reviewed);
    this.provided.set(provider, provided);
    // An acceptance since the pins were read is found at the next refresh.
    this.revision = -1;
    return provided.tools;
  }

  /**
   * Restores the last accepted list of a provider.
   * @throws BackendUnavailableError if the pins can't be read
   */
  async recall(provider: string): Promise<void> {
    const known = await this.parts.pins.pins(provider);
    const accepted = known.flatMap(({ listed, accepted }) =>
      listed && accepted?.hash === listed.hash ? [parseSnapshot(listed)] : [],
    );
    this.provided.set(provider, this.reviewed(provider, accepted, known));
  }

  /** The callable tools of all providers, by provider and name. */
  tools(): readonly ProviderTool[] {
    return [...this.provided.keys()].sort().flatMap((name) => this.provided.get(name)?.tools ?? []);
  }

  /** Every tool that a provider lists, with its state. */
  reviewedOf(provider: string): readonly ReviewedTool[] {
    return this.provided.get(provider)?.reviewed ?? [];
  }

  /**
   * Applies acceptances of other processes.
   * @returns true if the callable tools have changed
   * @throws BackendUnavailableError if the pins can't be read; the tools stay as they were
   */
  async refresh(): Promise<boolean> {
    const { pins } = this.parts;
    const revision = await pins.revision();
    if (revision === this.revision) return false;
    const known = await pins.pins();
    this.revision = revision;
    let isChanged = false;
    for (const [name, { listed, tools }] of this.provided) {
      const provided = this.reviewed(name, listed, known);
      isChanged ||= !sameTools(tools, provided.tools);
      this.provided.set(name, provided);
    }
    return isChanged;
  }

  private reviewed(
    provider: string,
    listed: readonly ListedTool[],
    pins: Parameters<typeof reviewTools>[0]['pins'],
  ): Provided {
    const { taken, compile } = this.parts;
    const reviewed = reviewTools({ provider, listed, pins, taken, compile });
    return { listed, reviewed, tools: acceptedTools(provider, reviewed) };
  }
}
