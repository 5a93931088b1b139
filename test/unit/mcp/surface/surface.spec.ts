import { z } from 'zod';
import { BackendsConfig } from '../../../../src/config/settings/backends.config.js';
import { DiagnosticsConfig } from '../../../../src/config/settings/diagnostics.config.js';
import { DomainsConfig } from '../../../../src/config/settings/domains.config.js';
import { GovernanceConfig } from '../../../../src/config/settings/governance.config.js';
import { IndexConfig } from '../../../../src/config/settings/index.config.js';
import { InnerVoiceConfig } from '../../../../src/config/settings/inner-voice.config.js';
import { LimitsConfig } from '../../../../src/config/settings/limits.config.js';
import { QuestionsConfig } from '../../../../src/config/settings/questions.config.js';
import { ScratchConfig } from '../../../../src/config/settings/scratch.config.js';
import { SurfaceConfig } from '../../../../src/config/settings/surface.config.js';
import { GENERIC_PROFILE } from '../../../../src/core/host-profile.js';
import type { ToolDefinition } from '../../../../src/mcp/define-tool.js';
import type { HostTable } from '../../../../src/mcp/surface/host-profiles.js';
import {
  aliasFor,
  canonicalName,
  isListedFor,
  resolveSurface,
  spelledFor,
} from '../../../../src/mcp/surface/surface.js';

const HOSTS: HostTable = {
  lines: { clients: ['lines'], names: 'underscore', render: 'summary', resourceLinks: false },
};
const aTool = (name: string, overrides: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  title: name,
  description: name,
  input: z.strictObject({}),
  output: z.strictObject({}),
  feature: 'kb',
  isCore: false,
  permission: 'read',
  budget: { bytes: 1_000, tokens: 1_000 },
  rendering: { full: () => '', summary: () => '' },
  ...overrides,
});
const TOOLS = [
  aTool('kb.search', { isCore: true }),
  aTool('kb.read_excerpt'),
  aTool('scope.describe', { feature: 'always' }),
  aTool('graph.expand', { feature: 'graph' }),
  aTool('search_docs', { feature: 'docs' }),
  aTool('search_sections', { feature: 'legacy' }),
  aTool('search_documentation', { feature: 'legacy_search' }),
  aTool('inner_voice.retrieve', { feature: 'inner_voice' }),
];
type Flags = Partial<SurfaceConfig> & Partial<Pick<BackendsConfig, 'graph'>> & { readonly memory?: boolean };
const surfaceOf = ({ graph = 'sqlite', memory = false, ...config }: Flags = {}, tools = TOOLS) => {
  const surface = Object.assign(new SurfaceConfig(), config);
  const backends = Object.assign(new BackendsConfig(), { graph });
  const innerVoice = Object.assign(new InnerVoiceConfig(), { isEnabled: memory });
  return resolveSurface(
    tools,
    {
      surface,
      scratch: new ScratchConfig(),
      limits: new LimitsConfig(),
      backends,
      governance: new GovernanceConfig(),
      questions: new QuestionsConfig(),
      domains: new DomainsConfig(),
      index: new IndexConfig(),
      innerVoice,
      diagnostics: new DiagnosticsConfig(),
    },
    HOSTS,
  );
};
const states = (flags: Flags) => [...surfaceOf(flags).tools.values()];
const listed = (flags: Flags) =>
  states(flags)
    .filter(({ isListed }) => isListed)
    .map(({ definition }) => definition.name);
/** Tools that are callable but not listed. */
const unlisted = (flags: Flags) =>
  states(flags)
    .filter(({ isOn, isListed }) => isOn && !isListed)
    .map(({ definition }) => definition.name);
const NEW = ['kb.search', 'kb.read_excerpt', 'scope.describe', 'graph.expand', 'search_docs'];

describe('resolveSurface', () => {
  it.each<[Flags, string[], string[]]>([
    [{}, NEW, ['search_sections']],
    [{ legacyTools: 'listed' }, [...NEW, 'search_sections'], []],
    [{ legacyTools: 'off' }, NEW, []],
    [{ legacySearch: true }, NEW, ['search_sections', 'search_documentation']],
    [{ legacySearch: true, legacyTools: 'listed' }, [...NEW, 'search_sections', 'search_documentation'], []],
    [{ legacySearch: true, legacyTools: 'off' }, NEW, []],
    [{ kbEnabled: false }, ['scope.describe', 'search_docs', 'search_sections'], []],
    [{ kbEnabled: false, legacyTools: 'off' }, ['scope.describe', 'search_docs'], []],
    [{ toolset: 'core' }, ['kb.search'], ['search_sections']],
    [{ toolset: 'core', legacyTools: 'listed' }, ['kb.search'], ['search_sections']],
    [{ toolset: 'core', legacyTools: 'off' }, ['kb.search'], []],
    [{ toolset: 'core', kbEnabled: false }, ['search_sections'], []],
    [{ graph: 'none' }, NEW.filter((name) => name !== 'graph.expand'), ['search_sections']],
    [{ docsTools: false }, NEW.filter((name) => name !== 'search_docs'), ['search_sections']],
    [{ memory: true }, [...NEW, 'inner_voice.retrieve'], ['search_sections']],
    [{ memory: true, toolset: 'core' }, ['kb.search'], ['search_sections']],
  ])('under %j lists %j and also accepts %j', (flags, names, more) => {
    expect(listed(flags)).toEqual(names);
    expect(unlisted(flags)).toEqual(more);
  });

  it('also contains tools that are turned off', () => {
    expect(surfaceOf({ kbEnabled: false }).tools.has('kb.search')).toBe(true);
  });

  it('has the lifetime of passages', () => {
    expect(surfaceOf().passageTtlS).toBe(1_800);
  });

  it('chooses spelling and text by host', () => {
    const hints = { clientName: 'lines', userAgent: undefined };
    expect(surfaceOf().profileFor(hints)).toMatchObject({ names: 'underscore', render: 'summary' });
  });

  it("prefers the configured spelling and text to the host's", () => {
    const hints = { clientName: 'lines', userAgent: undefined };
    const configured = surfaceOf({ toolNames: 'dotted', render: 'full' });
    expect(configured.profileFor(hints)).toMatchObject({ names: 'dotted', render: 'full' });
  });
});

describe('the tools search and fetch', () => {
  const namesFor = (flags: Flags, host: object) => {
    const tools = [...TOOLS, aTool('search', { feature: 'search_fetch' })];
    const shown = [...surfaceOf({ legacyTools: 'off', ...flags }, tools).tools.values()];
    return shown
      .filter((tool) => isListedFor(tool, { ...GENERIC_PROFILE, ...host }))
      .map(({ definition }) => definition.name);
  };

  it.each<[string, Flags, object, string[]]>([
    ['are not listed', {}, {}, NEW],
    ['are listed for a host that looks for them', {}, { searchFetch: true }, [...NEW, 'search']],
    ['are alone in their own toolset', { toolset: 'search-fetch' }, {}, ['search']],
    ['are off in the small toolset', { toolset: 'core' }, { searchFetch: true }, ['kb.search']],
    [
      'are no kb tools',
      { kbEnabled: false, docsTools: false },
      { searchFetch: true },
      ['scope.describe', 'search'],
    ],
  ])('%s: %j %j', (_, flags, host, names) => {
    expect(namesFor(flags, host)).toEqual(names);
  });
});

describe('spelledFor', () => {
  it('writes dots as underscores for hosts that refuse them', () => {
    expect(spelledFor('kb.read_excerpt', { ...GENERIC_PROFILE, names: 'underscore' })).toBe(
      'kb_read_excerpt',
    );
    expect(spelledFor('kb.read_excerpt', { ...GENERIC_PROFILE, names: 'dotted' })).toBe('kb.read_excerpt');
  });
});

describe('canonicalName', () => {
  it.each([
    ['kb.search', 'kb.search'],
    ['kb_search', 'kb.search'],
    ['kb_read_excerpt', 'kb.read_excerpt'],
    ['kb_read.excerpt', 'kb_read.excerpt'],
    ['KB.search', 'KB.search'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('maps %j to %j', (name, canonical) => {
    expect(canonicalName(surfaceOf(), name)).toBe(canonical);
  });
});

describe('an alias', () => {
  const aliases = new Map([
    ['docs.find', 'kb.search'],
    ['find', 'kb.read_excerpt'],
    ['kb.read_excerpt', 'kb.search'],
  ]);
  const access = {
    offers: () => true,
    noteRefusal: () => undefined,
    allows: () => true,
    check: () => undefined,
    aliases,
  };
  const surface = { ...surfaceOf(), access };

  it.each([
    ['docs.find', 'kb.search', 'docs.find'],
    ['docs_find', 'kb.search', 'docs.find'],
    ['find', 'kb.read_excerpt', 'find'],
    ['Find', 'Find', null],
    ['kb_search', 'kb.search', null],
  ])('maps %j to %j', (name, canonical, alias) => {
    expect(canonicalName(surface, name)).toBe(canonical);
    expect(aliasFor(surface, name)).toBe(alias);
  });

  it.each(['kb.read_excerpt', 'kb_read_excerpt'])('never hides the tool %s', (name) => {
    expect(canonicalName(surface, name)).toBe('kb.read_excerpt');
    expect(aliasFor(surface, name)).toBeNull();
  });
});

describe('Surface.provide', () => {
  const state = (name: string) => {
    const definition = aTool(name, { feature: 'provider' });
    return { definition, isOn: true, isListed: true, inputSchema: {}, outputSchema: {} };
  };
  const provided = ({ tools }: { tools: ReadonlyMap<string, unknown> }) =>
    [...tools.keys()].slice(TOOLS.length);

  it('adds the tools of providers in the order of their providers, and replaces them together', () => {
    const surface = surfaceOf();
    surface.provide('zoo', [state('zoo.b'), state('zoo.a')]);
    surface.provide('ant', [state('ant.a')]);
    expect(provided(surface)).toEqual(['ant.a', 'zoo.b', 'zoo.a']);
    surface.provide('zoo', [state('zoo.c')]);
    expect(provided(surface)).toEqual(['ant.a', 'zoo.c']);
    surface.provide('ant', []);
    expect(provided(surface)).toEqual(['zoo.c']);
    expect(canonicalName(surface, 'zoo_c')).toBe('zoo.c');
  });
});
