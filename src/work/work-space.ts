import type { Scope } from '../core/scope.js';

/** The project and environment that work of agents belongs to. Nothing outside of it exists for its callers. */
export type WorkSpace = Pick<Scope, 'projectId' | 'environment'>;
