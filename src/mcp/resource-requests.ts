import { ProtocolError } from '@modelcontextprotocol/server';
import { InvalidArgumentError } from '../core/errors.js';

/** For URIs that mean nothing here. */
export function unknownResource(uri: string): InvalidArgumentError {
  const isDocument = /^docs:/i.test(uri);
  return new InvalidArgumentError('Resource not found.', {
    reason: 'resource_not_found',
    hint: isDocument
      ? 'Use a URI from resources/list.'
      : 'Use a URI that a tool returned in this session, for example kb.search.',
  });
}

/** Who may call this tool may read documents and prompts, because they return the same content. */
export const DOCUMENT_TOOL = 'get_doc';

/** The tool that decides about resources with a URI and about prompts; null for URIs that Pith does not know. */
export function toolBehind(method: string, uri: string): string | null {
  if (method === 'prompts/get' || /^docs:\/\/\//i.test(uri)) return DOCUMENT_TOOL;
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/]*)/i.exec(uri)?.[1]?.toLowerCase();
  if (host === 'scratch') return 'kb.read_excerpt';
  return host === 'diagnostics' ? 'diagnostics.get' : null;
}

/** Reads a resource; a URI unknown to the library becomes an invalid-argument error. */
export async function readResource(uri: string, read: () => Promise<object>): Promise<object> {
  try {
    return await read();
  } catch (error) {
    // If no template matches a URI, the library's error has no data. Invalid percent-encoding throws a URIError.
    if (error instanceof URIError) throw unknownResource(uri);
    if (!(error instanceof ProtocolError)) throw error;
    if (error.data === undefined) throw unknownResource(uri);
    throw new ProtocolError(error.code, error.message, { ...error.data, uri });
  }
}
