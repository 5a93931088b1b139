/**
 * Where an endpoint is: at the URL itself where that names it already, below it otherwise.
 * @param base  such as `http://host:8080` or `http://host/v1`
 * @param endpoint  such as `/v1/embeddings`
 */
export function endpointUrl(base: string, endpoint: string): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  const parts = endpoint.split('/').filter((part) => part !== '');
  // As much of the endpoint as the URL ends with already is not said twice.
  const said = parts.findLastIndex((_, i) => path.endsWith(`/${parts.slice(0, i + 1).join('/')}`));
  url.pathname = [path, ...parts.slice(said + 1)].join('/');
  return url.href;
}
