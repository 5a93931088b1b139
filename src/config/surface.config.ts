import { Choice, Flag, Text } from './setting.js';

/** Which tools exist, under which names, rendered how. */
export class SurfaceConfig {
  @Flag(
    'MCP_KB_V2_ENABLED',
    'Offer the kb.* and graph.* tools; off: the older names are listed in their place.',
  )
  kbEnabled = true;

  @Choice(
    'MCP_LEGACY_TOOLS',
    'The tools under their older names. callable: answered, but not in tools/list; listed: both; off: neither.',
    ['callable', 'listed', 'off'],
  )
  legacyTools: 'callable' | 'listed' | 'off' = 'callable';

  @Flag(
    'ENABLE_LEGACY_SEARCH_DOCUMENTATION',
    'Add search_documentation to the older names; MCP_LEGACY_TOOLS says how.',
  )
  legacySearch = false;

  @Flag(
    'MCP_DOCS_TOOLS_ENABLED',
    'Offer search_docs and get_doc, and documents and prompts that the manifest offers.',
  )
  docsTools = true;

  @Flag(
    'MCP_STRUCTURED_OUTPUT_ENABLED',
    'Return structuredContent and outputSchema; off: minified JSON text alone.',
  )
  structuredOutput = true;

  @Choice('MCP_TOOLSET', 'All tools, or the three that most agents need.', ['full', 'core'])
  toolset: 'full' | 'core' = 'full';

  @Choice('MCP_TOOL_NAMES', 'Spelling in tools/list; calls accept both. auto: as the host takes them.', [
    'auto',
    'dotted',
    'underscore',
  ])
  toolNames: 'auto' | 'dotted' | 'underscore' = 'auto';

  @Choice('MCP_RENDER', 'Text beside the structured result. auto: what the host forwards to its model.', [
    'auto',
    'summary',
    'full',
  ])
  render: 'auto' | 'summary' | 'full' = 'auto';

  @Text('PITH_HOST_PROFILE', 'Host profile for callers that tell no name, as in config/hosts.json.')
  hostProfile = '';

  @Text('PITH_HOSTS_FILE', 'A JSON file of host profiles that override config/hosts.json.', { takes: 'path' })
  hostsFile = '';

  @Text('PITH_URI_SCHEME', 'Scheme of the resource URIs.', { pattern: /^[a-z][a-z0-9+.-]{0,31}$/ })
  uriScheme = 'wekadocs';
}
