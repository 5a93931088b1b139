import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import readAll from 'raw-body';
import { z } from 'zod';
import { hasLeft } from '../transport/response-end.js';

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const failureSchema = z.object({ type: z.literal('entity.too.large') });

/** A body that was not read, with the HTTP status of the reply. */
export class UnreadableBody extends Error {
  constructor(
    readonly status: 400 | 413 | 415,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads the body of a request, and stops at the limit: Express would first read the rest.
 * @param limit  of the decoded body, in bytes @throws UnreadableBody
 */
export async function bodyBytes(request: Request, limit: number): Promise<Buffer> {
  const encoding = request.get('content-encoding')?.toLowerCase() ?? 'identity';
  if (hasLeft(request)) throw new UnreadableBody(400, 'The sender has left.');
  const decoder = DECODERS.get(encoding)?.();
  if (!decoder && encoding !== 'identity')
    throw new UnreadableBody(415, 'The Content-Encoding is not supported.');
  try {
    if (!decoder) return await readAll(request, { limit, length: request.get('content-length') ?? null });
    // Not `pipeline`, which takes the socket from a request that it ends.
    request.once('close', () => {
      if (!request.complete) decoder.destroy(new Error('The connection has closed.'));
    });
    return await readAll(request.pipe(decoder), { limit });
  } catch (error) {
    if (failureSchema.safeParse(error).success)
      throw new UnreadableBody(413, 'The body is too large: see PITH_HTTP_BODY_BYTES.');
    throw new UnreadableBody(400, 'The body could not be read.');
  } finally {
    if (decoder) request.unpipe(decoder);
    decoder?.destroy();
  }
}
