import {
  applyDecorators,
  type ArgumentsHost,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  Logger,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { HttpConfig } from '../../config/settings/http.config.js';
import { BudgetExceededError } from '../../core/errors.js';
import { steadyNow } from '../../core/turns/clock.js';
import { Credentials, TooManyGuesses } from '../../mcp/http/credentials.js';
import { networkOf } from '../../mcp/http/failed-tokens.js';
import { allowedNames, isAllowedOrigin } from '../../mcp/http/http-security.js';
import { addressOf, hostNameOf, tokenIn } from '../../mcp/http/request-facts.js';
import { RateLimits } from '../../mcp/pipeline/caller-limits.js';
import { type Principal, setPrincipal, VISITOR, withGroups } from '../../mcp/principals.js';
import { whenOver } from '../../mcp/transport/response-end.js';
import { toFailure } from '../admin.filter.js';
import { CHALLENGE, PRIVATE_PAGE } from '../admin.guard.js';
import { AdminFailure } from '../admin-failure.js';
import { callFailure, FailedPageCall } from './page-calls.service.js';
import { peopleFailure } from './page-frame.js';
import { READER_POLICY } from './page-look.js';

/** Pages that one address may have opened at the same time, without a key. */
const VISITS_AT_ONCE = 8;

/** The path at which browsers are asked for a key, where none is needed otherwise. */
export const SIGN_IN = '/sign-in';

/** Requests of pages of other origins are refused, unless they follow a link: no page learns or measures an answer. */
function isForeign({ headers }: Request): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  return site !== undefined && site !== 'same-origin' && site !== 'none' && mode !== 'navigate';
}

/**
 * Finds the principal of a page: the owner of its key or token, or everybody where the tools are open to everybody, or a
 * visitor with PITH_SEARCH_PAGE=public, who has a limit by address.
 */
@Injectable()
export class PageGuard implements CanActivate {
  private readonly visits: RateLimits;
  private readonly visitor: Principal;

  constructor(
    private readonly http: HttpConfig,
    private readonly credentials: Credentials,
  ) {
    const { publicPerMinute, publicDocTags } = http;
    const terms = { ratePerMinute: publicPerMinute, maxConcurrentCalls: VISITS_AT_ONCE };
    this.visits = new RateLimits(terms, 'This address');
    const scope = publicDocTags.length === 0 ? {} : { doc_tags: publicDocTags };
    this.visitor = withGroups({ ...VISITOR, scope }, [], { haveGroups: true });
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const headers = { 'Content-Security-Policy': READER_POLICY, ...PRIVATE_PAGE };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.removeHeader('Access-Control-Allow-Origin');
    this.checkNames(request);
    setPrincipal(request, this.identify(request, response));
    if (request.method === 'GET' || request.method === 'HEAD') return true;
    response.setHeader('Allow', 'GET, HEAD');
    throw new AdminFailure('METHOD_NOT_ALLOWED', 'Only GET and HEAD are allowed.', 'Open the page again.');
  }

  private checkNames(request: Request): void {
    const { hosts, origins } = allowedNames(this.http);
    const { origin } = request.headers;
    const isNamed = hosts.includes(hostNameOf(request));
    if (isNamed && !isForeign(request) && (origin === undefined || isAllowedOrigin(origin, origins))) return;
    throw new AdminFailure(
      'FORBIDDEN',
      isNamed
        ? 'This server does not accept requests from other pages.'
        : 'This server does not accept this Host name.',
      isNamed ? 'Open the address itself.' : 'The operator can add the name to PITH_HTTP_ALLOWED_HOSTS.',
    );
  }

  private identify(request: Request, response: Response): Principal {
    const given = tokenIn(request.headers.authorization);
    const owner = given === null ? null : this.findOwner(given, request);
    if (owner) return owner;
    const { canSignIn, isOpen, anybody } = this.credentials;
    const mustSignIn = request.path === SIGN_IN && canSignIn;
    const isPublic = this.http.searchPage === 'public';
    if (isOpen && !isPublic && !mustSignIn) return anybody;
    // A visitor with a wrong key is asked again: the browser would go on sending it.
    if (isPublic && (given === null || !canSignIn) && !mustSignIn) return this.visit(request, response);
    if (canSignIn) response.setHeader('WWW-Authenticate', CHALLENGE);
    throw this.unknownReader();
  }

  /** Browsers can't get access tokens: where nobody has a key, there is nothing to ask for. */
  private unknownReader(): AdminFailure {
    const { canSignIn, resource } = this.credentials;
    const agents = resource === null ? '' : ` Agents connect to ${resource} with access tokens.`;
    return canSignIn
      ? new AdminFailure(
          'UNAUTHORIZED',
          'Sign in to search these documents.',
          `Use any user name, and your key or the token of this server as the password.${agents}`,
        )
      : new AdminFailure(
          'FORBIDDEN',
          'You need a key to search these documents.',
          `Nobody has one yet. The operator can make one for you with: pith access key.${agents}`,
        );
  }

  private findOwner(given: string, request: Request): Principal | null {
    try {
      return this.credentials.find(given, request);
    } catch (error) {
      // As for tools: an open server answers everybody.
      if (error instanceof TooManyGuesses && this.credentials.isOpen) return null;
      throw error;
    }
  }

  private visit(request: Request, response: Response): Principal {
    const network = networkOf(addressOf(request));
    whenOver(request, response, this.visits.enter(network, steadyNow()));
    return { ...this.visitor, allowance: { countedAs: `${VISITOR.name} ${network}` } };
  }
}

/** Renders errors as pages. */
@Injectable()
@Catch()
export class PageFilter implements ExceptionFilter {
  private readonly logger = new Logger('pages');

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const failure = error instanceof FailedPageCall ? callFailure(error) : pageFailure(error);
    if (failure.code === 'INTERNAL_ERROR' && !(error instanceof FailedPageCall))
      this.logger.error(error instanceof Error ? error.stack : error);
    const wait = retrySeconds(error);
    if (wait !== null) response.setHeader('Retry-After', String(wait));
    response.setHeader('Content-Security-Policy', READER_POLICY);
    response.status(failure.status).type('html').send(peopleFailure(failure));
  }
}

function pageFailure(error: unknown): AdminFailure {
  if (error instanceof BudgetExceededError)
    return new AdminFailure('RATE_LIMITED', error.message, error.hint);
  return toFailure(error);
}

/** Seconds after which the same request may succeed; null if it is not known. */
function retrySeconds(error: unknown): number | null {
  if (error instanceof TooManyGuesses) return error.waitS;
  const details = error instanceof FailedPageCall ? error.failure?.details : Object(error).details;
  const seconds: unknown = Object(details)['retry_after_s'];
  return typeof seconds === 'number' ? seconds : null;
}

/** A controller of pages for people. */
export const PageController = (): ClassDecorator =>
  applyDecorators(Controller(), UseGuards(PageGuard), UseFilters(PageFilter));
