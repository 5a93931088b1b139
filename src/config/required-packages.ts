import type { Config } from './config.js';

/** The configured engines that need an optional peer dependency, which npm does not install with Pith. */
function neededBy({ backends }: Config): ReadonlyMap<string, string> {
  const needed = new Map<string, string>();
  if (backends.sections === 'qdrant') needed.set('PITH_SECTION_ENGINE=qdrant', '@qdrant/js-client-rest');
  if (backends.graph === 'neo4j') needed.set('PITH_GRAPH_ENGINE=neo4j', 'neo4j-driver');
  if (backends.scratch === 'redis') needed.set('PITH_SCRATCH_ENGINE=redis', '@redis/client');
  if (backends.database !== '') needed.set('PITH_DATABASE', 'pg');
  if (![backends.database, ''].includes(backends.governanceDatabase))
    needed.set('PITH_GOVERNANCE_DATABASE', 'pg');
  return needed;
}

export const installCommand = (names: readonly string[]): string => `npm install ${names.join(' ')}`;

/** One sentence for each setting of an engine whose package is missing, with the install command. */
export function missingPackages(config: Config, isInstalled: (name: string) => boolean): string[] {
  return [...neededBy(config)]
    .filter(([, name]) => !isInstalled(name))
    .map(([setting, name]) => `${setting} needs ${name}. Install it: ${installCommand([name])}`);
}
