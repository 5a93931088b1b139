import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable, UnauthorizedException } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HttpConfig } from '../../config/http.config.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Lets in whoever sends the token, and names them; without a configured token everybody on loopback is `local`. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(private readonly config: HttpConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const { token } = this.config;
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { principal?: string }>();
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    // Digests have one length, so comparing them tells nothing of the token.
    if (token !== '' && !timingSafeEqual(digest(given), digest(token))) {
      http.getResponse<Response>().setHeader('WWW-Authenticate', 'Bearer');
      throw new UnauthorizedException('Send the token of this server as: Authorization: Bearer <token>');
    }
    request.principal = token === '' ? 'local' : 'bearer';
    return true;
  }
}
