import { Injectable, Logger } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { ServerConfig } from '../../config/settings/server.config.js';
import { PithError } from '../../core/errors.js';
import { toEnvelope } from './error-envelope.js';
import type { ErrorEnvelope } from './error-envelope.js';
import { renderError } from '../rendering/render.js';
import type { ToolResult } from '../rendering/render.js';
import { SurfaceHolder } from '../surface/surface.token.js';
import { wordsFor } from '../surface/tell-tools.js';

/** For the log: what went wrong and what lay behind it; never what was asked for. */
function inFull(error: unknown): string {
  if (error instanceof PithError) return `${inShort(error)}, caused by ${String(error.cause)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The same without messages, which may repeat what was worked on: kinds of errors and where they were thrown. */
function withoutMessages(error: unknown): string {
  if (error instanceof PithError) return `${inShort(error)}, caused by ${withoutMessages(error.cause)}`;
  if (!(error instanceof Error)) return typeof error;
  const { name, message, stack = '' } = error;
  const head = `${name}: ${message}`;
  return stack.startsWith(head) ? `${name}${stack.slice(head.length)}` : name;
}

const inShort = (error: unknown): string =>
  error instanceof PithError ? `${error.code} ${error.reason}` : 'INTERNAL_ERROR internal';

/** Turns what was thrown into an answer, and writes down what the answer hides. */
@Injectable()
export class FailureReporter {
  private readonly logger = new Logger('pith');

  constructor(
    private readonly holder: SurfaceHolder,
    private readonly server: ServerConfig,
  ) {}

  envelope(error: unknown, call: Call): ErrorEnvelope {
    this.note(error, call);
    return toEnvelope(error, call, wordsFor(call.caller, this.holder.surface));
  }

  /** @param isPersonal  whether messages of errors stay out of the log */
  toolResult(error: unknown, call: Call, isPersonal = false): ToolResult {
    this.note(error, call, isPersonal);
    return renderError(call, error, this.holder.surface);
  }

  private note(error: unknown, { id, signal }: Call, isPersonal = false): void {
    if (error instanceof PithError && error.cause === undefined) return;
    // The caller has taken the question back; our own deadline is an expected error.
    if (signal.aborted && error === signal.reason) return;
    const told = isPersonal ? withoutMessages : inFull;
    this.logger.error(`call ${id} failed: ${this.server.noLog ? inShort(error) : told(error)}`);
  }
}
