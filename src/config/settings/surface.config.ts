import { Choice, Flag, Text } from '../setting.js';

/** The offered tools, their names and their result format. */
export class SurfaceConfig {
  @Flag(
    'MCP_KB_V2_ENABLED',
    'Offer the kb.* and graph.* tools. false: the older tool names are listed instead.',
  )
  kbEnabled = true;

  @Choice(
    'MCP_LEGACY_TOOLS',
    'The older tool names. callable: accepted but not listed. listed: accepted and listed. off: refused.',
    ['callable', 'listed', 'off'],
  )
  legacyTools: 'callable' | 'listed' | 'off' = 'callable';

  @Flag('ENABLE_LEGACY_SEARCH_DOCUMENTATION', 'Include search_documentation in the older tool names.')
  legacySearch = false;

  @Flag(
    'MCP_DOCS_TOOLS_ENABLED',
    'Offer search_docs and get_doc, documents as resources, and the prompts that the manifest declares.',
  )
  docsTools = true;

  @Flag(
    'MCP_STRUCTURED_OUTPUT_ENABLED',
    'Return structuredContent and outputSchema. false: minified JSON text only.',
  )
  structuredOutput = true;

  @Choice(
    'MCP_RESPONSE_ENVELOPE',
    'on: structured results are wrapped with status, refs, warnings and the id of the call.',
    ['off', 'on'],
  )
  responseEnvelope: 'off' | 'on' = 'off';

  @Choice(
    'MCP_TOOLSET',
    'full: all tools. core: the three that most agents need. search-fetch: search and fetch alone, as ChatGPT expects them.',
    ['full', 'core', 'search-fetch'],
  )
  toolset: 'full' | 'core' | 'search-fetch' = 'full';

  @Choice(
    'MCP_TOOL_NAMES',
    'Spelling of tool names in tools/list; calls accept both. auto: depends on the client.',
    ['auto', 'dotted', 'underscore'],
  )
  toolNames: 'auto' | 'dotted' | 'underscore' = 'auto';

  @Choice(
    'MCP_RENDER',
    'Form of the text that comes with the structured result. auto: depends on what the host forwards to its model.',
    ['auto', 'summary', 'full'],
  )
  render: 'auto' | 'summary' | 'full' = 'auto';

  @Text('PITH_HOST_PROFILE', 'Host profile for clients that send no name; a key of config/hosts.json.')
  hostProfile = '';

  @Text('PITH_HOSTS_FILE', 'JSON file with host profiles that override config/hosts.json.', { takes: 'path' })
  hostsFile = '';

  @Text('PITH_URI_SCHEME', 'URI scheme of the resources.', { pattern: /^[a-z][a-z0-9+.-]{0,31}$/ })
  uriScheme = 'wekadocs';
}
