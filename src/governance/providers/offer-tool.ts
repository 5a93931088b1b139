import { z } from 'zod';
import type { AnyTool } from '../../mcp/define-tool.js';
import { listedOutput, type Surface, type ToolState } from '../../mcp/surface/surface.js';
import { registerProvided, type ToolTerms } from '../registry/registered-tool.js';
import type { ToolRegistry } from '../registry/tool-registry.js';
import { type SchemaCheck, type SchemaCompiler, schemaCompiler } from './json-schema-check.js';
import { ProviderCatalog } from './provider-catalog.js';
import { type ProviderConfig, safetyOf } from './provider-file.js';
import type { ProviderPins } from './provider-pins.js';
import { providerOutput, providerRendering } from './provider-reply.js';
import type { ProviderTool } from './tool-snapshot.js';

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

/** An accepted tool of a provider, as the pipeline handles it. */
export interface OfferedTool {
  readonly tool: ProviderTool;
  readonly definition: AnyTool;
  /** The check of its structured results; null if it has no output schema. */
  readonly checkOutput: SchemaCheck | null;
}

/** Characters of the hash that serve as version. */
const VERSION_CHARS = 12;

/** Checks arguments against the accepted input schema, which is prepared for the first call. */
function inputOf({ inputSchema }: ProviderTool, compile: SchemaCompiler): z.ZodType {
  let check: SchemaCheck | null = null;
  return z.record(z.string(), z.unknown()).superRefine((args, context) => {
    const problem = (check ??= compile(inputSchema))(args);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });
}

/** How the tools of a provider are checked. */
export interface OfferTerms {
  readonly compile: SchemaCompiler;
  /** Throws while the provider can't be called. */
  readonly checkReady?: () => void;
}

/** The definition by which the pipeline handles a provider's tool. The provider's annotations are ignored. */
export function offerTool(
  tool: ProviderTool,
  config: ProviderConfig,
  { compile, checkReady }: OfferTerms,
): OfferedTool {
  const { name, title, description, remoteName, outputSchema, definitionHash } = tool;
  return {
    tool,
    checkOutput: outputSchema && compile(outputSchema),
    definition: {
      name,
      title,
      description,
      input: inputOf(tool, compile),
      output: providerOutput,
      feature: 'provider',
      isCore: false,
      permission: 'read',
      version: definitionHash.slice(0, VERSION_CHARS),
      safety: safetyOf(config, remoteName),
      isRepeatable: false,
      budget: config.budget,
      rendering: providerRendering,
      waitsMs: config.timeoutMs,
      reportsProgress: true,
      ...(checkReady ? { checkReady } : {}),
    },
  };
}

/** The parts of a server that know its tools. */
export interface ToolLists {
  readonly registry: ToolRegistry;
  readonly surface: Pick<Surface, 'provide' | 'hasEnvelope'>;
  readonly terms: ToolTerms;
}

/** Replaces the tools of a provider in lists, calls and decisions. */
export function provideTools(
  provider: string,
  offered: readonly OfferedTool[],
  { registry, surface, terms }: ToolLists,
): void {
  registry.provide(
    provider,
    offered.map(({ tool, definition }) => registerProvided(definition, tool, terms)),
  );
  surface.provide(
    provider,
    offered.map((one) => stateOfOffered(one, surface.hasEnvelope)),
  );
}

/** The state of an offered tool in lists and calls. */
export function stateOfOffered({ tool, definition }: OfferedTool, hasEnvelope: boolean): ToolState {
  const { inputSchema } = tool;
  return {
    definition,
    isOn: true,
    isListed: true,
    inputSchema,
    outputSchema: listedOutput(definition, hasEnvelope),
  };
}
