import { Controller, Get, Header, Inject, Query, UseFilters, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { DefinitionStore } from '../../core/ports/definition-store.port.js';
import { AdminFilter } from '../admin.filter.js';
import { AdminGuard } from '../admin.guard.js';
import { AdminFailure } from '../admin-failure.js';
import { ServerFacts } from '../admin-parts.js';
import { parseQuery } from '../admin-query.js';
import { toolHistoryPage } from './tool-history-page.js';

const querySchema = z.strictObject({ name: z.string().min(1).max(256) });

/** The page about the definitions that a tool has had. */
@Controller('admin/tools/history')
@UseGuards(AdminGuard)
@UseFilters(AdminFilter)
export class ToolHistoryController {
  constructor(
    private readonly server: ServerFacts,
    @Inject(DefinitionStore) private readonly store: DefinitionStore | null,
  ) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  async history(@Query() given: unknown): Promise<string> {
    const { name } = parseQuery(querySchema, given);
    const definitions = await this.store?.history(name);
    if (!definitions || definitions.length === 0)
      throw new AdminFailure(
        'NOT_FOUND',
        'No definition of this tool is stored.',
        'Servers with PITH_GOVERNANCE_FILE or PITH_GOVERNANCE_DATABASE store the definitions of their tools when they start.',
      );
    return toolHistoryPage(name, definitions, this.server.frame);
  }
}
