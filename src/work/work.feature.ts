import type { ServerFeature } from '../mcp/serving.js';
import { workStores } from './open-work.js';
import { ArtifactRoutesModule } from './substrate/artifact-routes.controller.js';
import { uploadArtifactTool } from './substrate/artifacts/artifact.tools.js';
import { DOMAIN_TOOLS, DomainsModule } from './work.module.js';

/** The tools of MCP_DOMAINS, with which agents keep work of their own. */
export const WORK: ServerFeature = {
  tools: DOMAIN_TOOLS,
  stages: [],
  observers: [],
  stores: workStores,
  modules: () => [DomainsModule],
  routes: ({ domains }, offers) =>
    domains.offered.includes('substrate') || offers(uploadArtifactTool.name) ? [ArtifactRoutesModule] : [],
};
