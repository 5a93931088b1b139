import type { Config } from '../../config/config.js';
import { ownerSettings } from '../../config/owner-settings.js';

/** An address without its user name and password. */
function shown(address: string): string {
  const url = new URL(address);
  return `${url.protocol}//${url.host}`;
}

/** The engines that an index run fills in addition to the file, with their addresses. */
export function filledEngines({ backends }: Config): string[] {
  return [
    ...(backends.sections === 'qdrant' ? [`Qdrant at ${shown(backends.qdrantUrl)}`] : []),
    ...(backends.graph === 'neo4j' ? [`Neo4j at ${shown(backends.neo4jUrl)}`] : []),
  ];
}

/** Settings that servers on the filled engines need and that are not set here. */
export function missingSettings(
  config: Config,
  owner: { readonly projectId: string; readonly environment: string } | null,
): string[] {
  if (owner === null || filledEngines(config).length === 0 || config.scope.project !== '') return [];
  return ownerSettings(owner);
}

/** The place where sections are searched. */
export function sectionPlace({ backends, index }: Config): string {
  return backends.sections === 'qdrant' ? `in Qdrant at ${shown(backends.qdrantUrl)}` : index.file;
}
