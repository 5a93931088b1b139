import { Controller, Get, Header, NotFoundException, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Principals } from '../../principals.js';
import { metadataPaths } from './challenge.js';

/** Tells clients which authorization servers issue tokens for this server (RFC 9728). It needs no token. */
@Controller('.well-known')
export class ProtectedResourceController {
  constructor(private readonly principals: Principals) {}

  @Get(['oauth-protected-resource', 'oauth-protected-resource/*path'])
  @Header('Cache-Control', 'max-age=300')
  metadata(@Req() request: Request) {
    const own = this.principals.protectedResource;
    if (!own || !metadataPaths(own.resource).has(request.path)) throw new NotFoundException();
    return {
      resource: own.resource,
      authorization_servers: own.issuers,
      ...(own.scopes.length > 0 && { scopes_supported: own.scopes }),
      bearer_methods_supported: ['header'],
      resource_name: 'Pith',
    };
  }
}
