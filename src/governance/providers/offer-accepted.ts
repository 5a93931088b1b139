import { schemaCompiler } from './json-schema-check.js';
import { offerTool, provideTools, type ToolLists } from './offer-tool.js';
import { ProviderCatalog } from './provider-catalog.js';
import type { ProviderConfig } from './provider-file.js';
import type { ProviderPins } from './provider-pins.port.js';

/** The providers of a file, and the store of their accepted tools. */
interface AcceptedSource {
  readonly configs: readonly ProviderConfig[];
  readonly pins: ProviderPins;
  /** Names that are aliases. */
  readonly aliases: readonly string[];
}

/**
 * Offers the tools that were accepted before, as a server does when it starts. No provider is called.
 * @throws BackendUnavailableError if the store can't be read
 */
export async function offerAccepted(
  { configs, pins, aliases }: AcceptedSource,
  lists: ToolLists,
): Promise<void> {
  const compile = await schemaCompiler();
  const taken = [...lists.registry.all().map(({ name }) => name), ...aliases];
  const catalog = new ProviderCatalog({ pins, taken, compile });
  for (const { name } of configs) await catalog.recall(name);
  for (const config of configs) {
    const own = catalog.tools().filter(({ provider }) => provider === config.name);
    provideTools(
      config.name,
      own.map((tool) => offerTool(tool, config, { compile })),
      lists,
    );
  }
}
