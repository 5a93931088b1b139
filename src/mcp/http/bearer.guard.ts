import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AdminConfig } from '../../config/settings/admin.config.js';
import { HttpConfig } from '../../config/settings/http.config.js';
import { LOCAL, Principals, setPrincipal } from '../principals.js';
import { principalWith } from './http-security.js';

const KEY_NEEDED = 'Send your key as: Authorization: Bearer <key>';
const KEY_UNKNOWN = 'This key is not known here. `pith access check --key-stdin` says what a key is.';
const TOKEN_UNKNOWN = 'This is not the token of this server. Compare it with PITH_HTTP_TOKEN.';
const TOKEN_NEEDED = 'Send the token of this server as: Authorization: Bearer <token>';

/** Finds the principal of a request by its key or token. If none is configured, every caller is `local`. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly config: HttpConfig,
    private readonly admin: AdminConfig,
    private readonly principals: Principals,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const tokens = { admin: this.admin.token, mcp: this.config.token };
    const isOpen = this.config.token === '' && !this.principals.areRequired;
    const principal = principalWith(given, tokens, this.principals) ?? (isOpen ? LOCAL : null);
    if (!principal) {
      http.getResponse<Response>().setHeader('WWW-Authenticate', 'Bearer');
      const [needed, unknown] = this.principals.areRequired
        ? [KEY_NEEDED, KEY_UNKNOWN]
        : [TOKEN_NEEDED, TOKEN_UNKNOWN];
      throw new UnauthorizedException(given === '' ? needed : unknown);
    }
    setPrincipal(request, principal);
    return true;
  }
}
