import { Injectable, Logger } from '@nestjs/common';
import { PithError } from '../errors.js';
import { toEnvelope } from './error-envelope.js';
import type { ErrorEnvelope } from './error-envelope.js';
import { renderError } from './render.js';
import type { ToolResult } from './render.js';
import { SurfaceHolder } from './surface.token.js';

/** Turns what was thrown into an answer, and writes down what the answer hides. */
@Injectable()
export class FailureReporter {
  private readonly logger = new Logger('pith');

  constructor(private readonly holder: SurfaceHolder) {}

  envelope(error: unknown, callId: string): ErrorEnvelope {
    if (!(error instanceof PithError)) {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.logger.error(`call ${callId} failed: ${what}`);
    }
    return toEnvelope(error, callId);
  }

  toolResult(error: unknown, callId: string): ToolResult {
    return renderError(this.envelope(error, callId), callId, this.holder.surface.isStructured);
  }
}
