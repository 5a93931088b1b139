import { createHash } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { LOCAL, principalIn } from '../principals.js';
import { whenOver } from '../transport/response-end.js';
import { networkOf } from './failed-tokens.js';
import { addressOf, tokenIn } from './request-facts.js';

/** Number of keys and tokens that are remembered; the one that was used least recently is forgotten first. */
const MAX_KNOWN = 10_000;

function digestOf({ headers }: Request): string | null {
  const token = tokenIn(headers.authorization);
  return token === null ? null : createHash('sha256').update(token).digest('base64url');
}

/**
 * Names the caller of a request before its key or token is checked. All requests of a principal are of one caller. A request
 * whose key or token was never accepted counts by address, so a sender of many wrong keys is one caller.
 */
export class KnownSenders {
  /** Names of principals by the digest of what they sent. */
  private readonly names = new Map<string, string>();

  /** Middleware: remembers keys and tokens that are accepted. */
  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    whenOver(request, response, () => this.note(request));
    next();
  };

  readonly callerOf = (request: Request): string => {
    const digest = digestOf(request);
    const name = digest === null ? undefined : this.names.get(digest);
    return name === undefined ? `address ${networkOf(addressOf(request))}` : `principal ${name}`;
  };

  private note(request: Request): void {
    const principal = principalIn(request);
    const digest = digestOf(request);
    // A server without keys accepts whatever is sent.
    if (!principal || principal.name === LOCAL.name || digest === null) return;
    this.names.delete(digest);
    this.names.set(digest, principal.name);
    const [oldest] = this.names.keys();
    if (this.names.size > MAX_KNOWN && oldest !== undefined) this.names.delete(oldest);
  }
}
