import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LOCAL, type Principal, Principals, setPrincipal } from '../principals.js';
import { Credentials, TooManyGuesses } from './credentials.js';
import { rpcFailure, SERVER_ERROR } from './rpc-failure.js';

const KEY_NEEDED = 'Send your key as: Authorization: Bearer <key>';
const KEY_UNKNOWN = 'This key is not known here. `pith access check --key-stdin` says what a key is.';
const TOKEN_UNKNOWN = 'This is not the token of this server. Compare it with PITH_HTTP_TOKEN.';
const TOKEN_NEEDED = 'Send the token of this server as: Authorization: Bearer <token>';

/** Finds the principal of a request by its key or token. If none is configured, every caller is `local`. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly credentials: Credentials,
    private readonly principals: Principals,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const principal = this.find(given, request, response) ?? (this.credentials.isOpen ? LOCAL : null);
    if (!principal) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      const [needed, unknown] = this.principals.areRequired
        ? [KEY_NEEDED, KEY_UNKNOWN]
        : [TOKEN_NEEDED, TOKEN_UNKNOWN];
      throw new UnauthorizedException(given === '' ? needed : unknown);
    }
    setPrincipal(request, principal);
    return true;
  }

  private find(given: string, request: Request, response: Response): Principal | null {
    try {
      return given === '' ? null : this.credentials.find(given, request);
    } catch (error) {
      if (!(error instanceof TooManyGuesses)) throw error;
      // An open server answers everybody, but no wrong guess makes an operator of a caller.
      if (this.credentials.isOpen) return null;
      response.setHeader('Retry-After', String(error.waitS));
      throw rpcFailure(429, SERVER_ERROR, error.message);
    }
  }
}
