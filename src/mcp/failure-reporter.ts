import { Injectable, Logger } from '@nestjs/common';
import type { Call } from '../call.js';
import { PithError } from '../errors.js';
import { toEnvelope } from './error-envelope.js';
import type { ErrorEnvelope } from './error-envelope.js';
import { renderError } from './render.js';
import type { ToolResult } from './render.js';
import { wordsFor } from './surface.js';
import { SurfaceHolder } from './surface.token.js';

/** For the log: what went wrong and what lay behind it; never what was asked for. */
function inFull(error: unknown): string {
  if (error instanceof PithError) return `${error.code} ${error.reason}, caused by ${String(error.cause)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Turns what was thrown into an answer, and writes down what the answer hides. */
@Injectable()
export class FailureReporter {
  private readonly logger = new Logger('pith');

  constructor(private readonly holder: SurfaceHolder) {}

  envelope(error: unknown, { id, caller }: Call): ErrorEnvelope {
    this.note(error, id);
    return toEnvelope(error, id, (text) => wordsFor(caller, text, this.holder.surface));
  }

  toolResult(error: unknown, call: Call): ToolResult {
    this.note(error, call.id);
    return renderError(call, error, this.holder.surface);
  }

  private note(error: unknown, callId: string): void {
    if (error instanceof PithError && error.cause === undefined) return;
    this.logger.error(`call ${callId} failed: ${inFull(error)}`);
  }
}
