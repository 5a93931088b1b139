import type { Config } from '../../config/config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import type { Domain } from '../../config/settings/domains.config.js';
import type { SurfaceConfig } from '../../config/settings/surface.config.js';
import type { Caller } from '../../core/call.js';
import type { HostProfile } from '../../core/host-profile.js';
import { type AnyTool, type Feature, hasFixedOutput, isLegacy, isOfDomain } from '../define-tool.js';
import { envelopeJsonSchema, inputJsonSchema, type JsonSchema, outputJsonSchema } from '../schema.js';
import { OPEN_ACCESS, type ToolAccess } from '../tool-access.js';
import { type HostHints, type HostTable, profileFinder } from './host-profiles.js';

/**
 * The tool with a name; undefined if it does not exist or the caller is not offered it: both get the same answer.
 * Callers without the permission `operator` know the tools for operators, because the error names what they lack.
 */
export function knownTool({ tools, access }: Surface, name: string, caller: Caller): ToolState | undefined {
  const tool = tools.get(name);
  const isForOperators = tool?.definition.permission === 'operator';
  const actor = isForOperators
    ? { ...caller, permissions: [...caller.permissions, 'operator'] as const }
    : caller;
  return tool && access.offers(actor, name) ? tool : undefined;
}

/** One tool's state under the flags. */
export interface ToolState {
  readonly definition: AnyTool;
  /** True when callable. Calls of a tool that is off fail with the reason. */
  readonly isOn: boolean;
  /** True when tools/list shows it to every host; implies `isOn`. */
  readonly isListed: boolean;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
}

/** Flags, hosts and tool names, resolved once at start; used by tool list, guards and rendering. */
export abstract class Surface {
  /** In the order of the tool list: Pith's own, then those of providers by name of the provider. */
  abstract readonly tools: ReadonlyMap<string, ToolState>;
  /** Replaces the tools of a provider. Lists and calls that begin later use them. */
  abstract readonly provide: (provider: string, tools: readonly ToolState[]) => void;
  /** Adds tools that are imported after the start, because they are off. */
  abstract readonly add: (definitions: readonly AnyTool[]) => void;
  abstract readonly isStructured: boolean;
  /** True when results are wrapped in the response envelope. */
  abstract readonly hasEnvelope: boolean;
  abstract readonly uriScheme: string;
  /** True when operators can read diagnostics as resources. */
  abstract readonly offersDiagnostics: boolean;
  /** True when only the small toolset is offered, without expert arguments. */
  abstract readonly isCore: boolean;
  /** Lifetime of passages after their last use, in seconds. */
  abstract readonly passageTtlS: number;
  /** Ceiling of every result, failures included (bytes). */
  abstract readonly maxResponseBytes: number;
  /** Path of the index; shown to local callers only. */
  abstract readonly indexFile: string;
  abstract readonly profileFor: (hints: HostHints) => HostProfile;
  /** Which tools callers are offered. */
  abstract readonly access: ToolAccess;
}

/** A tool's name for hosts that permit no dots in names. */
export const underscored = (name: string): string => name.replaceAll('.', '_');

type Switches = Pick<
  Config,
  'surface' | 'backends' | 'innerVoice' | 'diagnostics' | 'governance' | 'questions' | 'domains'
>;

function isOn(definition: AnyTool, switches: Switches): boolean {
  const { surface, backends, innerVoice, diagnostics, governance, questions, domains } = switches;
  const hasLegacy = surface.legacyTools !== 'off';
  const features: Record<Exclude<Feature, Domain>, boolean> = {
    kb: surface.kbEnabled,
    graph: surface.kbEnabled && backends.graph !== 'none',
    docs: surface.docsTools,
    search_fetch: true,
    legacy: hasLegacy,
    legacy_search: hasLegacy && surface.legacySearch,
    inner_voice: innerVoice.isEnabled,
    diagnostics: diagnostics.resourcesEnabled,
    provider: true,
    registry: governance.file !== '',
    questions: questions.mode === 'on',
    always: true,
  };
  // A small toolset shortens the tool list; legacy and operator tools don't lengthen it for agents.
  const isInSet: Record<SurfaceConfig['toolset'], boolean> = {
    full: true,
    core: definition.isCore,
    'search-fetch': definition.feature === 'search_fetch',
  };
  const isOffered = isInSet[surface.toolset] || isLegacy(definition) || definition.permission === 'operator';
  const { feature } = definition;
  return (isOfDomain(feature) ? domains.offered.includes(feature) : features[feature]) && isOffered;
}

function isListed(definition: AnyTool, { surface }: Switches): boolean {
  if (definition.feature === 'search_fetch') return surface.toolset === 'search-fetch';
  if (!isLegacy(definition)) return true;
  return !surface.kbEnabled || (surface.legacyTools === 'listed' && surface.toolset === 'full');
}

function applyConfig(profile: HostProfile, config: SurfaceConfig): HostProfile {
  return {
    ...profile,
    names: config.toolNames === 'auto' ? profile.names : config.toolNames,
    render: config.render === 'auto' ? profile.render : config.render,
  };
}

const inputOf = (definition: AnyTool): JsonSchema => inputJsonSchema(definition.input, isLegacy(definition));

/** The output schema of a tool in lists. @param hasEnvelope  wraps it, unless a contract fixes it */
export function listedOutput(definition: AnyTool, hasEnvelope: boolean): JsonSchema {
  const isWrapped = hasEnvelope && !hasFixedOutput(definition);
  return isWrapped ? envelopeJsonSchema(definition.output) : outputJsonSchema(definition.output);
}

function toolState(definition: AnyTool, switches: Switches): ToolState {
  const isCallable = isOn(definition, switches);
  let [input, output]: [JsonSchema | null, JsonSchema | null] = [null, null];
  return {
    definition,
    isOn: isCallable,
    isListed: isCallable && isListed(definition, switches),
    // Made when tools are listed: a call needs no JSON schema.
    get inputSchema() {
      return (input ??= definition.listedFor?.(null).inputSchema ?? inputOf(definition));
    },
    get outputSchema() {
      return (output ??= listedOutput(definition, switches.surface.responseEnvelope === 'on'));
    },
  };
}

function checkHostProfile({ hostProfile }: SurfaceConfig, hosts: HostTable): void {
  const names = Object.keys(hosts);
  if (hostProfile === '' || names.includes(hostProfile)) return;
  throw new InvalidConfigurationError([
    `PITH_HOST_PROFILE is not a known profile. Known profiles: ${names.join(', ')}.`,
  ]);
}

/** Adds and replaces tools of providers in a map, after those that it has now. */
function providing(tools: Map<string, ToolState>): Surface['provide'] {
  const provided = new Map<string, readonly ToolState[]>();
  return (provider, states) => {
    for (const { definition } of [...provided.values()].flat()) tools.delete(definition.name);
    provided.set(provider, states);
    for (const name of [...provided.keys()].sort())
      for (const state of provided.get(name) ?? []) tools.set(state.definition.name, state);
  };
}

/** Resolves the flags; every tool that is on is offered to every caller. @throws InvalidConfigurationError for an unknown host profile */
export function resolveSurface(
  definitions: readonly AnyTool[],
  { scratch, limits, index, ...switches }: Switches & Pick<Config, 'scratch' | 'limits' | 'index'>,
  hosts: HostTable,
): Surface {
  const { surface: config } = switches;
  checkHostProfile(config, hosts);
  const tools = new Map<string, ToolState>();
  const add: Surface['add'] = (added) => {
    for (const definition of added) tools.set(definition.name, toolState(definition, switches));
  };
  add(definitions);
  const profileFor = profileFinder(hosts, config.hostProfile);
  return {
    tools,
    provide: providing(tools),
    add,
    isStructured: config.structuredOutput,
    hasEnvelope: config.responseEnvelope === 'on',
    uriScheme: config.uriScheme,
    offersDiagnostics: switches.diagnostics.resourcesEnabled,
    isCore: config.toolset === 'core',
    passageTtlS: scratch.ttlS,
    indexFile: index.file,
    maxResponseBytes: limits.maxResponseBytes,
    access: OPEN_ACCESS,
    profileFor: (hints) => applyConfig(profileFor(hints), config),
  };
}

/** True when tools/list shows a tool to a host. */
export function isListedFor({ definition, isOn, isListed }: ToolState, host: HostProfile): boolean {
  return isListed || (isOn && host.searchFetch === true && definition.feature === 'search_fetch');
}

/** A tool's name in the host's spelling. */
export function spelledFor(name: string, profile: HostProfile): string {
  return profile.names === 'underscore' ? underscored(name) : name;
}

/** The name among `names` that has the same spelling, or the same with underscores. */
function knownAs(names: Iterable<string>, name: string): string | undefined {
  const known = [...names];
  return known.find((each) => each === name) ?? known.find((each) => underscored(each) === name);
}

/** The alias by which a name in either spelling means a tool; null if it is not an alias. */
export function aliasFor({ tools, access }: Surface, name: string): string | null {
  const { aliases } = access;
  if (aliases.size === 0 || knownAs(tools.keys(), name) !== undefined) return null;
  return knownAs(aliases.keys(), name) ?? null;
}

/** The canonical name for either spelling of a tool or an alias; unknown names are returned unchanged. */
export function canonicalName(surface: Surface, name: string): string {
  if (surface.tools.has(name)) return name;
  const alias = aliasFor(surface, name);
  const meant = alias === null ? undefined : surface.access.aliases.get(alias);
  return meant ?? knownAs(surface.tools.keys(), name) ?? name;
}
