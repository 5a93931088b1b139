import type { Config } from '../../config/config.js';
import { ownerSettings } from '../../config/owner-settings.js';

/** An address as people may see it: without the name and password that can be part of it. */
function shown(address: string): string {
  const url = new URL(address);
  return `${url.protocol}//${url.host}`;
}

/** The engines that an index run fills beside the file. */
export function filledEngines({ backends }: Config): string[] {
  return [
    ...(backends.sections === 'qdrant' ? [`Qdrant at ${shown(backends.qdrantUrl)}`] : []),
    ...(backends.graph === 'neo4j' ? [`Neo4j at ${shown(backends.neo4jUrl)}`] : []),
  ];
}

/** What servers on the filled engines have to be set to, and are not set to here. */
export function missingSettings(
  config: Config,
  owner: { readonly projectId: string; readonly environment: string } | null,
): string[] {
  if (owner === null || filledEngines(config).length === 0 || config.scope.project !== '') return [];
  return ownerSettings(owner);
}

/** Where sections are looked for. */
export function sectionPlace({ backends, index }: Config): string {
  return backends.sections === 'qdrant' ? `in Qdrant at ${shown(backends.qdrantUrl)}` : index.file;
}
