import type { ScopeConfig } from '../config/settings/scope.config.js';
import type { Scope } from '../core/scope.js';

/**
 * Where the work of this server belongs: the project and environment of the settings. Unlike the scope of a call, they
 * are the same before and after the first index run.
 */
export class WorkProject implements Pick<Scope, 'projectId' | 'environment'> {
  readonly projectId: string;
  readonly environment: string;

  constructor({ project, environment }: ScopeConfig) {
    this.projectId = project;
    this.environment = environment;
  }
}
