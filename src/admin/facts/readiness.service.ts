import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeIn, PithError } from '../../core/errors.js';
import { DiagnosticWriter } from '../../diagnostics/archive/diagnostic-writer.js';
import { AnsweringParts, ServerFacts } from '../admin-parts.js';

/** A reason why the server can't do all of its work. */
export interface Obstacle {
  readonly part: 'index' | 'graph' | 'scratch' | 'governance' | 'diagnostics';
  /** Stable machine word. */
  readonly reason: string;
  readonly message: string;
  readonly hint: string;
}

/** A check of a feature. */
export interface AddedCheck {
  readonly part: Obstacle['part'];
  /** @throws PithError with the reason why the server can't do all of its work */
  readonly run: () => Promise<void>;
}

export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly Obstacle[];
}

/** Error code if a folder, or the nearest existing one above it, is not writable; null if it is writable. */
async function whyNotWritable(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    if (codeIn(error) !== 'ENOENT' || folder === dirname(folder)) return codeIn(error) || 'unknown';
    return whyNotWritable(dirname(folder));
  }
}

/** Runs a check. @returns an obstacle if the check fails or finds one */
async function tried(
  part: Obstacle['part'],
  check: () => Promise<Obstacle | null | void>,
): Promise<Obstacle | null> {
  try {
    return (await check()) ?? null;
  } catch (error) {
    if (error instanceof PithError)
      return { part, reason: error.reason, message: error.message, hint: error.hint };
    const message = 'An unexpected error occurred.';
    return { part, reason: 'internal', message, hint: 'See the server log.' };
  }
}

/** Reports whether the server is ready, and what prevents it from being ready. */
export class ReadinessService {
  constructor(
    private readonly server: ServerFacts,
    private readonly parts: AnsweringParts,
    private readonly writer: DiagnosticWriter,
    private readonly added: readonly AddedCheck[],
  ) {}

  async check(): Promise<Readiness> {
    const { scratch } = this.parts;
    const found = await Promise.all([
      tried('index', () => this.checkIndex()),
      tried('scratch', () => scratch.check()),
      ...this.added.map(({ part, run }) => tried(part, run)),
      this.checkDiagnostics(),
    ]);
    const reasons = found.filter((obstacle) => obstacle !== null);
    return { ready: reasons.length === 0, reasons };
  }

  private async checkIndex(): Promise<Obstacle | null> {
    const { index, graph, scopes } = this.parts;
    await index.stamp();
    const scope = await scopes.resolve(undefined, this.server.now());
    return tried('graph', async () => void (await graph?.describe(scope, [], false)));
  }

  private async checkDiagnostics(): Promise<Obstacle | null> {
    const { config } = this.server;
    if (config.server.noLog) return null;
    const hint =
      'Set RETRIEVAL_DIAGNOSTICS_DIR to a folder that this process can write to, and check the free disk space.';
    const why = await whyNotWritable(resolve(config.diagnostics.dir));
    if (why !== null) {
      const message = `The diagnostics folder is not writable: ${why}.`;
      return { part: 'diagnostics', reason: 'diagnostics_not_writable', message, hint };
    }
    if (this.writer.accepts()) return null;
    const message = 'The last diagnostic could not be written, or the queue is full.';
    return { part: 'diagnostics', reason: 'diagnostics_failing', message, hint };
  }
}
