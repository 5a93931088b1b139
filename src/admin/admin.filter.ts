import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Inject,
  Injectable,
  Logger,
  Optional,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { BackendUnavailableError, InvalidArgumentError, ScopeViolationError } from '../core/errors.js';
import { TooManyGuesses } from '../mcp/http/credentials.js';
import { AdminFailure } from './admin-failure.js';
import { CONSOLE_MENU, OPEN_MENU } from './console.pages.js';
import { failurePage } from './pages/failure-page.js';
import type { Frame } from './views/layout.js';

/** Paths whose errors are always JSON, whatever the `Accept` header says. */
const ENDPOINT = /^\/(?:metrics|approvals|admin\/(?:diagnostics|health|ready|config|index))(?:\/|$)/;

/** Reasons of invalid arguments with an HTTP status of their own. */
const CODES: ReadonlyMap<string, 'CONFLICT' | 'NOT_FOUND'> = new Map([
  ['approval_not_found', 'NOT_FOUND'],
  ['approval_not_pending', 'CONFLICT'],
  ['approval_not_granted', 'CONFLICT'],
  ['approval_already_decided', 'CONFLICT'],
  ['definition_changed', 'CONFLICT'],
  ['gap_not_found', 'NOT_FOUND'],
  ['gap_changed', 'CONFLICT'],
]);

/** The failure that a page or a program is told about. */
export function toFailure(error: unknown): AdminFailure {
  if (error instanceof AdminFailure) return error;
  if (error instanceof ScopeViolationError) return new AdminFailure('FORBIDDEN', error.message, error.hint);
  if (error instanceof InvalidArgumentError)
    return new AdminFailure(CODES.get(error.reason) ?? 'INVALID_ARGUMENT', error.message, error.hint);
  if (error instanceof BackendUnavailableError)
    return new AdminFailure('BACKEND_UNAVAILABLE', error.message, error.hint);
  if (error instanceof TooManyGuesses)
    return new AdminFailure('RATE_LIMITED', error.message, 'Correct the key, the token or the signature.');
  if (error instanceof HttpException && error.getStatus() < 500)
    return new AdminFailure('INVALID_ARGUMENT', error.message, 'See docs/http.md.');
  return new AdminFailure('INTERNAL_ERROR', 'An unexpected error occurred.', 'See the server log.');
}

/** Renders errors of the admin console: a page for browsers, JSON for programs. */
@Injectable()
@Catch()
export class AdminFilter implements ExceptionFilter {
  private readonly logger = new Logger('admin');

  /** @param menu  of error pages; by default the console's own pages */
  constructor(@Optional() @Inject(OPEN_MENU) private readonly menu: Frame['menu'] = CONSOLE_MENU) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const failure = toFailure(error);
    if (failure.code === 'INTERNAL_ERROR') this.logger.error(error instanceof Error ? error.stack : error);
    const isPage = !ENDPOINT.test(request.path) && request.accepts(['json', 'html']) === 'html';
    if (error instanceof TooManyGuesses) response.setHeader('Retry-After', String(error.waitS));
    response.status(failure.status);
    if (isPage) return void response.type('html').send(failurePage(failure, this.menu));
    const { code, message, hint } = failure;
    response.json({ error: { code, message, hint } });
  }
}
