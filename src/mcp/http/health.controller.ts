import { setTimeout as after } from 'node:timers/promises';
import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { PithError } from '../../core/errors.js';
import { SectionIndex } from '../../core/ports/section-index.port.js';
import { Draining } from './draining.js';

/** A check that takes longer, because the index is busy, has the result of the last one. */
const PATIENCE_MS = 10;
/** After a success, checks do not wait for this time; the index is asked all the same, for the next check. */
const FRESH_MS = 1_000;

/** Health checks. They need no token, so they report nothing about the documents. */
@Controller()
export class HealthController {
  private hasAnswered = false;
  private answeredAt = -Infinity;
  private checking: Promise<void> | null = null;

  constructor(
    private readonly index: SectionIndex,
    private readonly draining: Draining,
  ) {}

  /** The process runs. */
  @Get('livez')
  live() {
    return { status: 'ok' };
  }

  /** The index answers, and the server is not about to end. */
  @Get('readyz')
  ready() {
    if (this.draining.isDraining) throw new ServiceUnavailableException({ status: 'unavailable' });
    return this.answer(() => ({}));
  }

  /** The index answers; with the reason if the index does not answer. */
  @Get('healthz')
  check() {
    return this.answer((error) => ({ reason: error instanceof PithError ? error.reason : 'internal' }));
  }

  private async answer(failureFields: (error: unknown) => object) {
    try {
      await this.askPatiently();
      return { status: 'ok' };
    } catch (error) {
      throw new ServiceUnavailableException({ status: 'unavailable', ...failureFields(error) });
    }
  }

  /** Only a success stands for a later check: an index that failed may answer now. */
  private askPatiently(): Promise<unknown> {
    const asked = (this.checking ??= this.ask());
    if (!this.hasAnswered) return asked;
    const isFresh = performance.now() - this.answeredAt < FRESH_MS;
    // A failure is for the checks that wait, and for the next one.
    asked.catch(() => undefined);
    return isFresh ? Promise.resolve() : Promise.race([asked, after(PATIENCE_MS)]);
  }

  private async ask(): Promise<void> {
    try {
      await this.index.stamp();
      this.hasAnswered = true;
      this.answeredAt = performance.now();
    } catch (error) {
      this.hasAnswered = false;
      throw error;
    } finally {
      this.checking = null;
    }
  }
}
