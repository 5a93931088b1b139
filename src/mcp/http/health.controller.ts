import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { PithError } from '../../errors.js';
import { SectionIndex } from '../../kb/section-index.port.js';

/** Whether the process lives and its index answers; says nothing of what is in it. */
@Controller('healthz')
export class HealthController {
  constructor(private readonly index: SectionIndex) {}

  @Get()
  async check(): Promise<{ status: 'ok' }> {
    try {
      await this.index.stamp();
      return { status: 'ok' };
    } catch (error) {
      const reason = error instanceof PithError ? error.reason : 'internal';
      throw new ServiceUnavailableException({ status: 'unavailable', reason });
    }
  }
}
