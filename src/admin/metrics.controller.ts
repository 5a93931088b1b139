import { Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CallMetrics } from '../telemetry/call-metrics.js';
import { AdminController } from './admin.guard.js';

/** The endpoint that Prometheus scrapes. */
@AdminController('metrics')
export class MetricsController {
  constructor(private readonly metrics: CallMetrics) {}

  @Get()
  async text(@Res() response: Response) {
    response.setHeader('Content-Type', this.metrics.contentType);
    response.send(await this.metrics.text());
  }
}
