/** The environment of `pith index` if none is given. */
export const DEFAULT_ENVIRONMENT = 'prod';

function setting(name: string, value: string): string {
  return `${name}=${/^[\w./-]+$/u.test(value) ? value : JSON.stringify(value)}`;
}

/** The settings that a server on Qdrant or Neo4j needs to find the index of a project and environment. */
export function ownerSettings(owner: { readonly projectId: string; readonly environment: string }): string[] {
  const { projectId, environment } = owner;
  return [
    setting('PITH_PROJECT', projectId),
    ...(environment === DEFAULT_ENVIRONMENT ? [] : [setting('PITH_ENVIRONMENT', environment)]),
  ];
}
