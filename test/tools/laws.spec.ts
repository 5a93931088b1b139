import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { z } from 'zod';
import { BackendsConfig } from '../../src/config/settings/backends.config.js';
import { DiagnosticsConfig } from '../../src/config/settings/diagnostics.config.js';
import { DOMAINS, DomainsConfig } from '../../src/config/settings/domains.config.js';
import { GovernanceConfig } from '../../src/config/settings/governance.config.js';
import { IndexConfig } from '../../src/config/settings/index.config.js';
import { InnerVoiceConfig } from '../../src/config/settings/inner-voice.config.js';
import { LimitsConfig } from '../../src/config/settings/limits.config.js';
import { QuestionsConfig } from '../../src/config/settings/questions.config.js';
import { ScratchConfig } from '../../src/config/settings/scratch.config.js';
import { SurfaceConfig } from '../../src/config/settings/surface.config.js';
import { GENERIC_PROFILE } from '../../src/core/host-profile.js';
import { definitionsOf, isLegacy } from '../../src/mcp/define-tool.js';
import { describeTools } from '../../src/mcp/surface/describe-tools.js';
import { resolveSurface } from '../../src/mcp/surface/surface.js';
import { MAX_MESSAGE_VALUES } from '../../src/text/nesting.js';
import { aReader, permissionsOf } from '../support/a-reader.js';
import { AGENT_TASKS } from '../support/agent-tasks.js';
import { TOOLS } from '../support/all-tools.js';
import { anthropicRefuses, geminiRefuses, openAiRefuses, strictOpenAi } from '../support/model-apis.js';

const definitions = definitionsOf(TOOLS);
const DOTTED = { ...GENERIC_PROFILE, names: 'dotted' as const };

/** The tools that callers see; with `all`, those that operators see on a server with everything turned on. */
function described(config: Partial<SurfaceConfig> = {}, all = false) {
  const settings = {
    surface: Object.assign(new SurfaceConfig(), config),
    scratch: new ScratchConfig(),
    limits: new LimitsConfig(),
    backends: new BackendsConfig(),
    index: new IndexConfig(),
    diagnostics: Object.assign(new DiagnosticsConfig(), { resourcesEnabled: all }),
    questions: Object.assign(new QuestionsConfig(), { mode: all ? 'on' : 'off' }),
    governance: Object.assign(new GovernanceConfig(), { file: all ? 'governance.yaml' : '' }),
    domains: Object.assign(new DomainsConfig(), { offered: all ? DOMAINS : [] }),
    innerVoice: Object.assign(new InnerVoiceConfig(), { isEnabled: all }),
  };
  const surface = resolveSurface(definitions, settings, {});
  return describeTools(
    surface,
    aReader({ host: { ...DOTTED, searchFetch: all }, permissions: permissionsOf(all) }),
    null,
  );
}

/** Every tool that is listed under at least one combination of flags. */
const everything = described({ legacyTools: 'listed', legacySearch: true }, true);
const named = everything.map((tool) => [tool.name, tool] as const);

/**
 * Legacy tools keep an older contract, so two laws differ for them: their descriptions lead to the newer tool, and they
 * ignore unknown fields, since old clients may send them.
 */
const legacy = new Set(definitions.filter(isLegacy).map(({ name }) => name));
const DESCRIPTION =
  /^Use when .+ Do not use when .+ Returns at most .+ If you need more, call .+ Defaults: .+ Max: .+/;
/** Descriptions that the search_docs contract prescribes. */
const CONTRACT_DESCRIPTION =
  /^(?:Search the .+\. Use this to find .+ call |Retrieve the full content of .+ call )/;
const contract = new Set(definitions.filter(({ feature }) => feature === 'docs').map(({ name }) => name));
const LEGACY_DESCRIPTION =
  /^Legacy name of (?:kb|graph)\.\w+(?:, in \w+)?; prefer (?:kb|graph)\.\w+.* Returns .+/;

type Json = Record<string, unknown>;

/** Every schema node in a JSON Schema, with its path. */
function nodesOf(schema: unknown, path = ''): [string, Json][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Json;
  const children = Object.entries(node).flatMap(([key, value]) => nodesOf(value, `${path}/${key}`));
  return [
    ['type' in node && typeof node['type'] === 'string' ? path : '', node] as [string, Json],
    ...children,
  ].filter(([, { type }]) => typeof type === 'string');
}

/** The JSON Schema that a tool's arguments are validated against. */
function ownSchema(name: string): Json {
  const definition = definitions.find((each) => each.name === name);
  return definition ? z.toJSONSchema(definition.input, { io: 'input' }) : {};
}

/** Every keyword of a schema and its parts; names of properties are not keywords. */
function schemaKeywords(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(schemaKeywords);
  return Object.entries(schema).flatMap(([keyword, value]) => [
    keyword,
    ...(keyword === 'properties'
      ? Object.values(Object(value)).flatMap(schemaKeywords)
      : schemaKeywords(value)),
  ]);
}

/** Room for the keys of the request and of its `_meta`. */
const ENVELOPE_VALUES = 100;

/** The largest number of keys and array items of a value that a schema permits. */
function mostValues({ properties, items, maxItems, anyOf, oneOf, allOf }: Json): number {
  const own = Object.values(Object(properties)).map((each) => 1 + mostValues(each as Json));
  const repeated = Array.isArray(items) || !items ? 0 : Number(maxItems) * (1 + mostValues(items as Json));
  const others = [anyOf, oneOf, allOf].flatMap((list) => (list ?? []) as Json[]).map(mostValues);
  return own.reduce((sum, each) => sum + each, repeated) + Math.max(0, ...others);
}

describe.each(named)('%s', (name, tool) => {
  it('has a name that every client accepts, in one spelling or the other', () => {
    expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    expect(name.replaceAll('.', '_')).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  it('says when to use it and when not, what it returns, what to call next, and its defaults and caps', () => {
    const own = contract.has(name) ? CONTRACT_DESCRIPTION : DESCRIPTION;
    expect(tool.description).toMatch(legacy.has(name) ? LEGACY_DESCRIPTION : own);
  });

  it('has the annotations of its safety class, in a closed world', () => {
    const { safety = 'read', isAdditive = false } = definitions.find((each) => each.name === name) ?? {};
    expect(tool.annotations).toMatchObject({
      title: tool.title,
      readOnlyHint: safety === 'read',
      destructiveHint: safety === 'write' && !isAdditive,
      openWorldHint: false,
    });
  });

  it('refuses unknown fields at every level of its input, or ignores them if it is a legacy tool', () => {
    const objects = nodesOf(ownSchema(name)).filter(([, { type }]) => type === 'object');
    const open = objects.filter(([, node]) => node['additionalProperties'] !== false);
    const isOpen = legacy.has(name) || name === 'search_docs';
    expect(open).toEqual(isOpen ? objects : []);
  });

  it('limits every string, array and number of its input', () => {
    const isBounded = ([, node]: [string, Json]): boolean => {
      if (node['enum'] || node['const']) return true;
      if (node['type'] === 'string') return 'maxLength' in node || 'format' in node;
      if (node['type'] === 'array') return 'maxItems' in node;
      const isNumber = node['type'] === 'integer' || node['type'] === 'number';
      return !isNumber || ('minimum' in node && 'maximum' in node);
    };
    expect(
      nodesOf(ownSchema(name))
        .filter((node) => !isBounded(node))
        .map(([path]) => path),
    ).toEqual([]);
  });

  it('permits no call with more keys and array items than a message may have', () => {
    expect(mostValues(ownSchema(name)) + ENVELOPE_VALUES).toBeLessThanOrEqual(MAX_MESSAGE_VALUES);
  });

  it('lists an input schema that Gemini, OpenAI in strict mode and Anthropic accept', () => {
    // Old clients read the defaults of the older tools from their schemas, so these are not for strict mode.
    const refused = openAiRefuses(strictOpenAi(tool.inputSchema));
    expect(refused.filter((problem) => !(legacy.has(name) && problem.endsWith(': default')))).toEqual([]);
    expect(geminiRefuses(tool.inputSchema)).toEqual([]);
    expect(anthropicRefuses(tool.inputSchema)).toEqual([]);
  });

  it('states every default number, in its description or with the field', () => {
    const texts = [
      tool.description,
      ...nodesOf(tool.inputSchema).flatMap(([, node]) => [
        String(node['description']),
        String(node['default']),
      ]),
    ];
    const defaults = nodesOf(ownSchema(name)).flatMap(([, node]) => {
      const value = node['default'];
      return typeof value === 'number' && value > 1 ? [value] : [];
    });
    const isStated = (value: number) => new RegExp(`(?<![\\d.])${value}(?!\\d)`).test(texts.join('\n'));
    expect(defaults.filter((value) => !isStated(value))).toEqual([]);
  });

  it('lists an output schema of types and names only', () => {
    const keywords = schemaKeywords(tool.outputSchema);
    expect(
      keywords.filter((keyword) => !['type', 'properties', 'items', 'anyOf', 'required'].includes(keyword)),
    ).toEqual([]);
  });

  it('has an output schema that accepts a result or the error envelope, with an object at the root', () => {
    expect(tool.outputSchema).toMatchObject({
      type: 'object',
      anyOf: [{ type: 'object' }, { required: ['error'] }],
    });
  });

  it('matches the stored schema', () => {
    expect(tool).toMatchSnapshot();
  });
});

describe.each([
  ['listed beside the others', { legacyTools: 'listed', legacySearch: true }],
  ['listed in their place', { kbEnabled: false, legacySearch: true }],
] as const)('the schemas of all tools, legacy names %s', (_, config) => {
  const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'];

  /** Every value of a keyword in a schema, with its tool. */
  function valuesOf(keyword: string, schema: unknown): unknown[] {
    if (typeof schema !== 'object' || schema === null) return [];
    return Object.entries(schema).flatMap(([key, value]) => [
      ...(key === keyword && typeof value !== 'object' ? [value] : []),
      ...(key === keyword && Array.isArray(value) ? value : []),
      ...valuesOf(keyword, value),
    ]);
  }

  it('use only types of JSON Schema', () => {
    const schemas = described(config).map(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]);
    const types = valuesOf('type', schemas).filter(
      (type) => typeof type !== 'string' || !TYPES.includes(type),
    );
    expect(types).toEqual([]);
  });

  it('list every default of the legacy tools as the older contract did, even false', () => {
    const tool = described(config).find(({ name }) => name === 'expand_neighbors');
    const fields = Object.entries(Object(tool?.inputSchema['properties']));
    const defaults = fields.flatMap(([name, field]) => {
      const value: unknown = Object(field)['default'];
      return value === undefined ? [] : [[name, value]];
    });
    expect(Object.fromEntries(defaults)).toEqual({
      direction: 'both',
      max_hops: 1,
      include_snippet: false,
      page_size: 25,
    });
  });
});

describe('the list of tools', () => {
  // Counted, not estimated: schemas are mostly punctuation, for which the estimate is a third too high.
  const cost = (list: readonly object[]): number => countTokens(JSON.stringify(list));
  /** The form that most models see. */
  const seen = (config: Partial<SurfaceConfig>) =>
    described(config).map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));

  it('costs at most 7,500 tokens with output schemas', () => {
    expect(cost(described())).toBeLessThanOrEqual(7_500);
  });

  it('costs at most 3,600 tokens in the form that most models see', () => {
    expect(cost(seen({}))).toBeLessThanOrEqual(3_600);
  });

  it.each(AGENT_TASKS)('names one tool to call first: $task', ({ tool, decides }) => {
    const deciding = described().filter(({ description }) => description.includes(decides));
    expect(deciding.map(({ name }) => name)).toEqual([tool]);
  });

  it('repeats no long text', () => {
    const sentences = described().flatMap(({ description }) => description.split(/(?<=[.!?])\s/));
    const long = sentences.filter((sentence) => sentence.length > 70 && !/^(?:Defaults|Max):/.test(sentence));
    expect(long.filter((sentence, i) => long.indexOf(sentence) !== i)).toEqual([]);
  });

  it('has inner_voice.retrieve only if it is turned on', () => {
    const names = (isOn: boolean) => described({}, isOn).map(({ name }) => name);
    expect(names(false)).not.toContain('inner_voice.retrieve');
    expect(names(true)).toContain('inner_voice.retrieve');
  });

  it('costs at most 1,600 tokens in the core toolset', () => {
    expect(described({ toolset: 'core' }).map(({ name }) => name)).toEqual([
      'kb.retrieve_evidence',
      'kb.search',
      'kb.read_excerpt',
    ]);
    expect(cost(seen({ toolset: 'core' }))).toBeLessThanOrEqual(1_600);
  });

  it.each([['full' as const], ['core' as const]])(
    'names only tools of the same list in the descriptions of %s',
    (toolset) => {
      const list = described({ toolset });
      const mentioned = list.flatMap(
        ({ description }) => description.match(/\b(?:kb|scope|scratch|tool)\.[a-z_]+/g) ?? [],
      );
      const names = list.map(({ name }) => name);
      expect(mentioned.filter((name) => !names.includes(name))).toEqual([]);
    },
  );

  it('has no kb.* tool if they are turned off', () => {
    expect(described({ kbEnabled: false, legacyTools: 'off' }).map(({ name }) => name)).toEqual([
      'search_docs',
      'get_doc',
      'scope.describe',
      'scratch.list',
    ]);
  });

  it('has no tool of the search_docs contract if they are turned off', () => {
    const names = described({ docsTools: false }).map(({ name }) => name);
    expect(names.filter((name) => contract.has(name))).toEqual([]);
  });

  it('has the legacy tools instead, unless they are off too', () => {
    const names = described({ kbEnabled: false }).map(({ name }) => name);
    expect(names.filter((name) => legacy.has(name))).toHaveLength(12);
    expect(names.filter((name) => name.startsWith('kb.'))).toEqual([]);
  });

  it('has no legacy tool by default, and all of them if they are listed', () => {
    expect(described().filter(({ name }) => legacy.has(name))).toEqual([]);
    expect(everything.filter(({ name }) => legacy.has(name))).toHaveLength(13);
  });

  it('has no output schema if structured output is turned off', () => {
    expect(described({ structuredOutput: false }).filter((tool) => 'outputSchema' in tool)).toEqual([]);
  });
});
