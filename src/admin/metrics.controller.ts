import { Controller, Get, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { AdminFilter } from './admin.filter.js';
import { AdminGuard } from './admin.guard.js';
import { AdminParts } from './admin-parts.js';

/** What Prometheus reads. */
@Controller('metrics')
@UseGuards(AdminGuard)
@UseFilters(AdminFilter)
export class MetricsController {
  constructor(private readonly parts: AdminParts) {}

  @Get()
  async text(@Res() response: Response) {
    const { metrics } = this.parts;
    response.setHeader('Content-Type', metrics.contentType);
    response.send(await metrics.text());
  }
}
