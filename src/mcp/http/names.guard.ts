import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { HttpConfig } from '../../config/settings/http.config.js';
import { allowedNames } from './http-security.js';
import { rpcFailure, SERVER_ERROR } from './rpc-failure.js';

/** Refuses requests under a foreign `Host` or from a foreign `Origin`, before their body is read. */
@Injectable()
export class NamesGuard implements CanActivate {
  private readonly names: ReturnType<typeof allowedNames>;

  constructor(config: HttpConfig) {
    this.names = allowedNames(config);
  }

  canActivate(context: ExecutionContext): boolean {
    const { host, origin } = context.switchToHttp().getRequest<Request>().headers;
    if (!validateOriginHeader(origin, this.names.origins).ok)
      throw rpcFailure(403, SERVER_ERROR, 'This Origin is not in PITH_HTTP_ALLOWED_ORIGINS.');
    if (!validateHostHeader(host, this.names.hosts).ok)
      throw rpcFailure(403, SERVER_ERROR, 'This Host is not in PITH_HTTP_ALLOWED_HOSTS.');
    return true;
  }
}
