import {
  applyDecorators,
  type CanActivate,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Header,
  Injectable,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Permission } from '../core/call.js';
import { Credentials } from '../mcp/http/credentials.js';
import { allowedNames, isAllowedOrigin } from '../mcp/http/http-security.js';
import { ProjectServers } from '../mcp/http/project-servers.js';
import { hostNameOf, isFromHere, tokenIn } from '../mcp/http/request-facts.js';
import { type Principal, principalOf, setPrincipal } from '../mcp/principals.js';
import { AdminFilter } from './admin.filter.js';
import { AdminFailure } from './admin-failure.js';
import { ServerFacts } from './admin-parts.js';
import { STYLE_HASH } from './views/style.js';

/** Asks a browser for a key. */
export const CHALLENGE = 'Basic realm="Pith", charset="UTF-8"';

/** Pages must not be framed, cached or indexed. */
export const PRIVATE_PAGE = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
} as const;

/** Pages load nothing from other origins. */
const HEADERS = {
  ...PRIVATE_PAGE,
  'Content-Security-Policy': `default-src 'none'; style-src '${STYLE_HASH}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
} as const;

const FOR_OPERATORS: readonly Permission[] = ['operator'];

/** A principal needs one of these permissions. Default: `operator`. */
export const Admits = Reflector.createDecorator<readonly Permission[]>();

/** Marks a route that answers POST. It has to check that the request comes from a page of ours. */
export const ChangesSomething = Reflector.createDecorator<void, true>({ transform: () => true });

/** The operator who signed in, as a parameter of a route. */
export const SignedIn = createParamDecorator((_: unknown, context: ExecutionContext): Principal =>
  principalOf(context.switchToHttp().getRequest()),
);

/** True if the principal can sign in to the console. */
export const maySignIn = ({ permissions }: Principal): boolean =>
  permissions.includes('operator') || permissions.includes('approve');

/**
 * Admits requests with the admin token or the key of an operator, and an allowed Host and Origin; from other machines
 * only with PITH_ADMIN_REMOTE.
 */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    private readonly server: ServerFacts,
    private readonly credentials: Credentials,
    private readonly projects: ProjectServers,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    // Pages of other origins must not read responses, not even those that may call the MCP endpoint.
    response.removeHeader('Access-Control-Allow-Origin');
    this.checkNames(request);
    this.checkPeer(request);
    const operator = this.signIn(request, response);
    setPrincipal(request, operator);
    this.checkPermission(operator, context);
    if (request.method === 'GET' || request.method === 'HEAD') return true;
    if (this.reflector.get(ChangesSomething, context.getHandler())) return true;
    response.setHeader('Allow', 'GET, HEAD');
    throw new AdminFailure('METHOD_NOT_ALLOWED', 'Only GET and HEAD are allowed.', 'Use GET.');
  }

  private checkNames(request: Request): void {
    const { hosts, origins } = allowedNames(this.server.config.http);
    const { origin } = request.headers;
    if (!hosts.includes(hostNameOf(request)))
      throw new AdminFailure(
        'FORBIDDEN',
        'This server does not accept this Host name.',
        'Use 127.0.0.1 or localhost, or add the name to PITH_HTTP_ALLOWED_HOSTS.',
      );
    if (origin === undefined || isAllowedOrigin(origin, origins)) return;
    throw new AdminFailure(
      'FORBIDDEN',
      'This server does not accept requests from pages of this Origin.',
      'Open the console at 127.0.0.1 or localhost, or add the host name of the page to PITH_HTTP_ALLOWED_ORIGINS.',
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

  private checkPermission(operator: Principal, context: ExecutionContext): void {
    const { permissions } = operator;
    // Its project has records and settings of its own, which the console does not show.
    if (this.projects.isOfOther(operator))
      throw new AdminFailure(
        'FORBIDDEN',
        'This console belongs to another project.',
        'Use `pith approvals` and `pith ledger` with the settings of your project. See docs/access.md.',
      );
    const admitted =
      this.reflector.getAllAndOverride(Admits, [context.getHandler(), context.getClass()]) ?? FOR_OPERATORS;
    if (admitted.some((permission) => permissions.includes(permission))) return;
    throw new AdminFailure(
      'FORBIDDEN',
      `This page needs the permission ${admitted.join(' or ')}.`,
      'Sign in with another key. The operator grants permissions in the access file.',
    );
  }

  private signIn(request: Request, response: Response): Principal {
    const given = tokenIn(request.headers.authorization);
    const operator = given === null ? null : this.credentials.find(given, request);
    if (operator) return operator;
    response.setHeader('WWW-Authenticate', CHALLENGE);
    throw new AdminFailure(
      'UNAUTHORIZED',
      'The admin token or the key of an operator is required.',
      'Sign in with any user name and PITH_ADMIN_TOKEN or your key as the password, or send it as Authorization: Bearer.',
    );
  }
}

/** A controller of the admin console: its guard and its errors. */
export const AdminController = (path: string): ClassDecorator =>
  applyDecorators(Controller(path), UseGuards(AdminGuard), UseFilters(AdminFilter));

/** A route that answers with a page. */
export const HtmlPage = (path = ''): MethodDecorator =>
  applyDecorators(Get(path), Header('Content-Type', 'text/html; charset=utf-8'));
