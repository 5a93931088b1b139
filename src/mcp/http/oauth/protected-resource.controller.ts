import { Controller, Get, NotFoundException, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Principals } from '../../principals.js';
import { metadataPaths } from './challenge.js';

/** Tells clients which authorization servers issue tokens for this server (RFC 9728). It needs no token. */
@Controller('.well-known')
export class ProtectedResourceController {
  constructor(private readonly principals: Principals) {}

  @Get(['oauth-protected-resource', 'oauth-protected-resource/*path'])
  metadata(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    const own = this.principals.protectedResource;
    if (!own || !metadataPaths(own.resource).has(request.path)) throw new NotFoundException();
    response.setHeader('Cache-Control', 'max-age=300');
    return {
      resource: own.resource,
      authorization_servers: own.issuers,
      ...(own.scopes.length > 0 && { scopes_supported: own.scopes }),
      bearer_methods_supported: ['header'],
      resource_name: 'Pith',
    };
  }
}
