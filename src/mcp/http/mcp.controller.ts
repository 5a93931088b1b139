import { Controller, UseGuards } from '@nestjs/common';
import { StreamableHttpController } from '@rekog/mcp-nest';
import { BearerGuard } from './bearer.guard.js';

/** The MCP endpoint. */
@Controller('mcp')
@UseGuards(BearerGuard)
export class McpHttpController extends StreamableHttpController {}
