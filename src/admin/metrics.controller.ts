import { Controller, Get, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { CallMetrics } from '../telemetry/call-metrics.js';
import { AdminFilter } from './admin.filter.js';
import { AdminGuard } from './admin.guard.js';

/** The endpoint that Prometheus scrapes. */
@Controller('metrics')
@UseGuards(AdminGuard)
@UseFilters(AdminFilter)
export class MetricsController {
  constructor(private readonly metrics: CallMetrics) {}

  @Get()
  async text(@Res() response: Response) {
    response.setHeader('Content-Type', this.metrics.contentType);
    response.send(await this.metrics.text());
  }
}
