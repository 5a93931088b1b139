import { Module } from '@nestjs/common';
import { ScopeConfig } from '../config/settings/scope.config.js';
import { WorkProject } from './work-project.js';

/** What the modules of all domains need. */
@Module({
  providers: [
    { provide: WorkProject, inject: [ScopeConfig], useFactory: (scope: ScopeConfig) => new WorkProject(scope) },
  ],
  exports: [WorkProject],
})
export class WorkModule {}
