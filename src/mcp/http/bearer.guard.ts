import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AdminConfig } from '../../config/settings/admin.config.js';
import { HttpConfig } from '../../config/settings/http.config.js';
import { isSameToken } from './http-security.js';

/** Sets the principal of a request: `local` without a configured token; an operator with the admin token. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly config: HttpConfig,
    private readonly admin: AdminConfig,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { token } = this.config;
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { principal?: string; isOperator?: boolean }>();
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (isSameToken(given, this.admin.token)) {
      request.principal = 'operator';
      request.isOperator = true;
      return true;
    }
    if (token !== '' && !isSameToken(given, token)) {
      http.getResponse<Response>().setHeader('WWW-Authenticate', 'Bearer');
      throw new UnauthorizedException('Send the token of this server as: Authorization: Bearer <token>');
    }
    request.principal = token === '' ? 'local' : 'bearer';
    return true;
  }
}
