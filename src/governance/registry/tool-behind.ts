/** The tool that decides about resources with a URI and about prompts; null for URIs that Pith does not know. */
export function toolBehind(method: string, uri: string): string | null {
  if (method === 'prompts/get') return 'get_doc';
  if (/^docs:\/\/\//i.test(uri)) return 'get_doc';
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/]*)/i.exec(uri)?.[1]?.toLowerCase();
  if (host === 'scratch') return 'kb.read_excerpt';
  return host === 'diagnostics' ? 'diagnostics.get' : null;
}
