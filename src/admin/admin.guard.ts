import {
  type CanActivate,
  type CustomDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { allowedNames, isAllowedOrigin, isSameToken } from '../mcp/http/http-security.js';
import { AdminFailure } from './admin-failure.js';
import { ServerFacts } from './admin-parts.js';
import { FailedTokens } from './failed-tokens.js';
import { addressOf, hostNameOf, isFromHere, tokenIn } from './peer.js';
import { STYLE_HASH } from './views/style.js';

const CHALLENGE = 'Basic realm="Pith", charset="UTF-8"';

/** Pages load nothing from other origins, and must not be framed, cached or indexed. */
const HEADERS = {
  'Content-Security-Policy': `default-src 'none'; style-src '${STYLE_HASH}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
} as const;

const CHANGES = 'pith:changes';

/** Marks a handler that answers POST. It has to check that the request comes from a page of ours. */
export const ChangesSomething = (): CustomDecorator => SetMetadata(CHANGES, true);

/** Admits requests with the admin token and an allowed Host and Origin; from other machines only with PITH_ADMIN_REMOTE. */
@Injectable()
export class AdminGuard implements CanActivate {
  private readonly failed: FailedTokens;

  constructor(private readonly server: ServerFacts) {
    this.failed = new FailedTokens(server.now);
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    // Pages of other origins must not read responses, not even those that may call the MCP endpoint.
    response.removeHeader('Access-Control-Allow-Origin');
    this.checkNames(request);
    this.checkPeer(request);
    this.checkToken(request, response);
    if (request.method === 'GET' || request.method === 'HEAD') return true;
    if (Reflect.getMetadata(CHANGES, context.getHandler()) === true) return true;
    response.setHeader('Allow', 'GET, HEAD');
    throw new AdminFailure('METHOD_NOT_ALLOWED', 'Only GET and HEAD are allowed.', 'Use GET.');
  }

  private checkNames(request: Request): void {
    const { hosts, origins } = allowedNames(this.server.config.http);
    const { origin } = request.headers;
    const isOurs = hosts.includes(hostNameOf(request));
    if (isOurs && (origin === undefined || isAllowedOrigin(origin, origins))) return;
    throw new AdminFailure(
      'FORBIDDEN',
      'This server does not accept this Host name.',
      'Use 127.0.0.1 or localhost, or add the name to PITH_HTTP_ALLOWED_HOSTS.',
    );
  }

  private checkPeer(request: Request): void {
    if (this.server.config.admin.isRemote || isFromHere(request)) return;
    throw new AdminFailure(
      'FORBIDDEN',
      'The admin console accepts requests only from the machine that the server runs on.',
      'Open it on that machine without a proxy, use an SSH tunnel, or set PITH_ADMIN_REMOTE=1.',
    );
  }

  private checkToken(request: Request, response: Response): void {
    const { token } = this.server.config.admin;
    const given = tokenIn(request.headers.authorization);
    const address = addressOf(request);
    // The correct token is accepted even from an address with many failed attempts.
    if (given !== null && isSameToken(given, token)) return;
    const waitMs = given === null ? 0 : this.failed.waitMs(address);
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      response.setHeader('Retry-After', String(seconds));
      throw new AdminFailure('RATE_LIMITED', 'Too many failed sign-ins.', `Try again in ${seconds} s.`);
    }
    if (given !== null) this.failed.note(address);
    response.setHeader('WWW-Authenticate', CHALLENGE);
    throw new AdminFailure(
      'UNAUTHORIZED',
      'The admin token is required.',
      'Sign in with any user name and PITH_ADMIN_TOKEN as the password, or send it as Authorization: Bearer.',
    );
  }
}
