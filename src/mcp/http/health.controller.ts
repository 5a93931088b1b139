import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { PithError } from '../../core/errors.js';
import { SectionIndex } from '../../core/ports/section-index.port.js';

/** Health checks. They need no token, so they report nothing about the documents. */
@Controller()
export class HealthController {
  constructor(private readonly index: SectionIndex) {}

  /** The process runs. */
  @Get('livez')
  live() {
    return { status: 'ok' };
  }

  /** The index answers. */
  @Get('readyz')
  ready() {
    return this.answer(() => ({}));
  }

  /** As `readyz`, with the reason if the index does not answer. */
  @Get('healthz')
  check() {
    return this.answer((error) => ({ reason: error instanceof PithError ? error.reason : 'internal' }));
  }

  private async answer(failureFields: (error: unknown) => object) {
    try {
      await this.index.stamp();
      return { status: 'ok' };
    } catch (error) {
      throw new ServiceUnavailableException({ status: 'unavailable', ...failureFields(error) });
    }
  }
}
