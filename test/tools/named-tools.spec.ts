import { type Environment, parseConfig } from '../../src/config/config.js';
import { GENERIC_PROFILE } from '../../src/core/host-profile.js';
import { definitionsOf } from '../../src/mcp/define-tool.js';
import { describeTools } from '../../src/mcp/surface/describe-tools.js';
import { resolveSurface } from '../../src/mcp/surface/surface.js';
import { instructionsFor } from '../../src/mcp/transport/client-instructions.js';
import { aCorpus, aKey } from '../support/a-corpus.js';
import { aReader, permissionsOf } from '../support/a-reader.js';
import { TOOLS } from '../support/all-tools.js';

const definitions = definitionsOf(TOOLS);

/** Every tool in both spellings, longest first, and families of tools. `search` and `fetch` are English words, too. */
const EVERY_NAME = definitions.flatMap(({ name }) => [name, name.replaceAll('.', '_')]);
const NAMES = [...new Set(EVERY_NAME)]
  .filter((name) => /[._]/.test(name))
  .sort((a, b) => b.length - a.length);
const NAMED = new RegExp(
  `(?<![\\w.])(?:${NAMES.map((name) => name.replaceAll('.', '\\.')).join('|')}|(?:kb|graph)[._]\\*)(?!\\w)|(?<=\`)(?:search|fetch)(?=\`)`,
  'g',
);

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  MCP_KB_V2_ENABLED: ['true', 'false'],
  MCP_DOCS_TOOLS_ENABLED: ['true', 'false'],
  MCP_TOOLSET: ['full', 'core', 'search-fetch'],
  PITH_GRAPH_ENGINE: ['sqlite', 'none'],
  MCP_LEGACY_TOOLS: ['callable', 'listed', 'off'],
};
const ALL_ON = {
  SURR_ENABLE_INNER_VOICE: '1',
  ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'true',
  MCP_DIAGNOSTICS_RESOURCES_ENABLED: 'true',
};

/** All combinations of settings. */
const COMBINED: readonly Environment[] = Object.entries(CHOICES).reduce<Environment[]>(
  (sofar, [name, values]) => sofar.flatMap((env) => values.map((value) => ({ ...env, [name]: value }))),
  [{}],
);
const SETTINGS = [
  ...COMBINED.map((settings) => ({ ...settings, ...ALL_ON })),
  {},
  { MCP_KB_V2_ENABLED: 'false' },
];

const READERS = (['dotted', 'underscore'] as const).flatMap((names) =>
  [true, false].map((isOperator) =>
    aReader({ host: { ...GENERIC_PROFILE, names }, permissions: permissionsOf(isOperator) }),
  ),
);
/** A corpus whose authors name tools, too. */
const corpus = aCorpus({
  description: 'guides. Ask kb.retrieve_evidence',
  instructions: 'Prefer search_docs. Otherwise call kb.search or scope.describe. Be brief.',
  taxonomy: [aKey({ description: 'Filters like kb.search does. Lists: get_doc.' })],
});

it.each(SETTINGS.map((settings) => [JSON.stringify(settings), settings] as const))(
  'names only listed tools, in the listed spelling, under %s',
  (_, settings) => {
    const surface = resolveSurface(definitions, parseConfig(settings), {});
    for (const reader of READERS) {
      const list = describeTools(surface, reader, corpus);
      const listed = list.map(({ name }) => name);
      const texts = [instructionsFor(corpus, surface, reader), JSON.stringify(list)];
      const named = texts.flatMap((text) => text.match(NAMED) ?? []);
      expect(named.filter((name) => !listed.includes(name))).toEqual([]);
    }
  },
);
