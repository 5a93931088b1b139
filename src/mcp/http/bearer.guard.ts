import {
  type CanActivate,
  type ExecutionContext,
  type HttpException,
  Injectable,
  Logger,
  UnauthorizedException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  type Holder,
  InvalidTokenError,
  IssuerUnavailableError,
  KEY_UNKNOWN,
  NoPrincipalError,
} from '../access-tokens.js';
import { noteNoPages, noteRefusal, Principals, setPrincipal } from '../principals.js';
import { Credentials, TooManyGuesses } from './credentials.js';
import { challenge } from './oauth/challenge.js';
import { rpcFailure, SERVER_ERROR } from './rpc-failure.js';

const KEY_NEEDED = 'Send your key as: Authorization: Bearer <key>';
const TOKEN_UNKNOWN = 'This is not the token of this server. Compare it with PITH_HTTP_TOKEN.';
const TOKEN_NEEDED = 'Send the token of this server as: Authorization: Bearer <token>';
const ACCESS_TOKEN_NEEDED = 'Send an access token or your key as: Authorization: Bearer <token>';
/** When to try again if an authorization server does not answer (s). */
const RETRY_S = 5;
const SILENT_MS = 60_000;

/** Finds the principal of a request by its key or token. If none is configured, every caller is `local`. */
@Injectable()
export class BearerGuard implements CanActivate {
  private readonly logger = new Logger('access');
  private silentUntil = 0;

  constructor(
    private readonly credentials: Credentials,
    private readonly principals: Principals,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const holder = await this.find(given, request, response);
    if (holder) setPrincipal(request, holder.principal, holder.scopes);
    else if (this.credentials.isOpen) setPrincipal(request, this.credentials.anybody);
    else throw this.unauthorized(given, response);
    if (!this.credentials.openPages) noteNoPages(request);
    return true;
  }

  private async find(given: string, request: Request, response: Response): Promise<Holder | null> {
    try {
      return given === '' ? null : await this.credentials.findHolder(given, request);
    } catch (error) {
      // An open server answers everybody, but no wrong guess makes an operator of a caller.
      if (error instanceof TooManyGuesses && this.credentials.isOpen) return null;
      throw this.refusal(error, request, response);
    }
  }

  private refusal(error: unknown, request: Request, response: Response): unknown {
    if (error instanceof InvalidTokenError) {
      noteRefusal(request, error.fault);
      const fault = { error: 'invalid_token', error_description: error.message } as const;
      const { protectedResource } = this.principals;
      const scopes = protectedResource?.needed(null) ?? [];
      response.setHeader('WWW-Authenticate', challenge(protectedResource, scopes, fault));
      return new UnauthorizedException(error.message);
    }
    if (error instanceof NoPrincipalError) {
      noteRefusal(request, 'no_principal');
      return rpcFailure(403, SERVER_ERROR, error.message);
    }
    if (error instanceof TooManyGuesses)
      return later(response, error.waitS, rpcFailure(429, SERVER_ERROR, error.message));
    if (error instanceof IssuerUnavailableError) {
      this.tell(error);
      return later(response, RETRY_S, rpcFailure(503, SERVER_ERROR, error.message));
    }
    return error;
  }

  /** Once a minute, so that a server that is down does not fill the log. */
  private tell({ message, cause }: IssuerUnavailableError): void {
    if (performance.now() < this.silentUntil) return;
    this.silentUntil = performance.now() + SILENT_MS;
    const why =
      cause instanceof Error ? [cause.message, cause.cause].filter(Boolean).join(': ') : String(cause);
    this.logger.warn(`${message} (${why})`);
  }

  private unauthorized(given: string, response: Response): UnauthorizedException {
    const { protectedResource, areRequired } = this.principals;
    response.setHeader(
      'WWW-Authenticate',
      challenge(protectedResource, protectedResource?.needed(null) ?? []),
    );
    if (protectedResource) return new UnauthorizedException(ACCESS_TOKEN_NEEDED);
    const [needed, unknown] = areRequired ? [KEY_NEEDED, KEY_UNKNOWN] : [TOKEN_NEEDED, TOKEN_UNKNOWN];
    return new UnauthorizedException(given === '' ? needed : unknown);
  }
}

/** A refusal after which the client should try again. @param waitS  when, in seconds */
function later(response: Response, waitS: number, failure: HttpException): HttpException {
  response.setHeader('Retry-After', String(waitS));
  return failure;
}
