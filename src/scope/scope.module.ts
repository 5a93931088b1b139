// src/scope: what a call may see; scope.describe
import { Module } from '@nestjs/common';
import { DescribeScopeService } from './describe-scope.service.js';
import { DescribeScopeTool } from './describe-scope.tool.js';
import { ScopeService } from './scope.service.js';

export const SCOPE_TOOLS = [DescribeScopeTool];

@Module({
  controllers: SCOPE_TOOLS,
  providers: [ScopeService, DescribeScopeService],
  exports: [ScopeService],
})
export class ScopeModule {}
