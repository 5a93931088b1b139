import { Injectable, Logger } from '@nestjs/common';
import { ServerConfig } from '../../config/settings/server.config.js';
import type { Call } from '../../core/call.js';
import { PithError } from '../../core/errors.js';
import { type AnyTool, isProvided } from '../define-tool.js';
import { type ErrorEnvelope, toEnvelope } from '../rendering/error-envelope.js';
import { renderError, type ToolResult } from '../rendering/render.js';
import { textAdapterFor } from '../surface/adapt-text.js';
import { Surface } from '../surface/surface.js';

/** The log text of an error and its cause; never the arguments of the call. */
function inFull(error: unknown): string {
  if (error instanceof PithError) return `${inShort(error)}, caused by ${String(error.cause)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The same without messages, which may quote personal content: error names and stack frames only. */
function withoutMessages(error: unknown): string {
  if (error instanceof PithError) return `${inShort(error)}, caused by ${withoutMessages(error.cause)}`;
  if (!(error instanceof Error)) return typeof error;
  const { name, message, stack = '' } = error;
  const head = `${name}: ${message}`;
  return stack.startsWith(head) ? `${name}${stack.slice(head.length)}` : name;
}

/** For errors in a call of a provider's tool. Those of Pith quote nothing of the provider. */
function ofProvider(error: unknown): string {
  return error instanceof PithError ? inFull(error) : withoutMessages(error);
}

/** @param tool  undefined if it is unknown */
function describerFor(tool: AnyTool | undefined): (error: unknown) => string {
  if (tool?.isPersonal) return withoutMessages;
  return tool && isProvided(tool) ? ofProvider : inFull;
}

const inShort = (error: unknown): string =>
  error instanceof PithError ? `${error.code} ${error.reason}` : 'INTERNAL_ERROR internal';

/** Turns errors into answers and logs the details that the answers hide. */
@Injectable()
export class FailureReporter {
  private readonly logger = new Logger('pith');

  constructor(
    private readonly surface: Surface,
    private readonly server: ServerConfig,
  ) {}

  envelope(error: unknown, call: Call): ErrorEnvelope {
    this.note(error, call);
    return toEnvelope(error, call, textAdapterFor(call.caller, this.surface));
  }

  /** @param tool  undefined if it is unknown. Messages of errors of personal tools and of providers are not logged */
  toolResult(error: unknown, call: Call, tool: AnyTool | undefined): ToolResult {
    this.note(error, call, tool);
    return renderError(call, error, { surface: this.surface, tool });
  }

  private note(error: unknown, { id, signal }: Call, tool?: AnyTool): void {
    if (error instanceof PithError && error.cause === undefined) return;
    // The caller cancelled the call. Our own deadline throws an expected error.
    if (signal.aborted && error === signal.reason) return;
    const describe = describerFor(tool);
    this.logger.error(`call ${id} failed: ${this.server.noLog ? inShort(error) : describe(error)}`);
  }
}
