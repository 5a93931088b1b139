/**
 * Appends an endpoint to a base URL, without repeating path segments that the URL already ends with.
 * @param base  such as `http://host:8080` or `http://host/v1`
 * @param endpoint  such as `/v1/embeddings`
 */
export function endpointUrl(base: string, endpoint: string): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  const parts = endpoint.split('/').filter((part) => part !== '');
  const shared = parts.findLastIndex((_, i) => path.endsWith(`/${parts.slice(0, i + 1).join('/')}`));
  url.pathname = [path, ...parts.slice(shared + 1)].join('/');
  return url.href;
}
