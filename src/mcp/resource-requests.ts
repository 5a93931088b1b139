import { ProtocolError } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { InvalidArgumentError } from '../core/errors.js';

function unknownResource(uri: string): InvalidArgumentError {
  const isDocument = /^docs:/i.test(uri);
  return new InvalidArgumentError('Resource not found.', {
    reason: 'resource_not_found',
    hint: isDocument
      ? 'Use a URI from resources/list.'
      : 'Use a URI that a tool returned in this session, for example kb.search.',
  });
}

/** Reads a resource; what the library does not know is answered like any other wrong argument. */
export async function readResource(uri: string, read: () => Promise<object>): Promise<object> {
  try {
    return await read();
  } catch (error) {
    // The library's own answer to a URI that no template matches carries no data; bad percent-encoding is a URIError.
    if (error instanceof URIError) throw unknownResource(uri);
    if (!(error instanceof ProtocolError)) throw error;
    if (error.data === undefined) throw unknownResource(uri);
    throw new ProtocolError(error.code, error.message, { ...error.data, uri });
  }
}

const templatesSchema = z.looseObject({
  resourceTemplates: z.array(z.looseObject({ uriTemplate: z.string() })),
});

/** A template that the caller can read nothing by is none. */
export function withoutTemplates(result: object, hidden: readonly string[]): object {
  const { resourceTemplates, ...rest } = templatesSchema.parse(result);
  const isShown = (uri: string): boolean => !hidden.some((start) => uri.startsWith(start));
  return { ...rest, resourceTemplates: resourceTemplates.filter(({ uriTemplate }) => isShown(uriTemplate)) };
}

/** Templates under the configured scheme, and paths as RFC 6570 has them, which the library's matcher can't read. */
export function asListed(result: object, scheme: string): object {
  const json = JSON.stringify(result)
    .replaceAll('"wekadocs://', `"${scheme}://`)
    .replaceAll('{path*}', '{+path}');
  const parsed: object = JSON.parse(json);
  return parsed;
}
