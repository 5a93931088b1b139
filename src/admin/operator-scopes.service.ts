import { Injectable } from '@nestjs/common';
import { ScopeViolationError } from '../core/errors.js';
import { limitScope, recordsWithin, type Scope, scopeCovers } from '../core/scope.js';
import { BUILT_IN, type Principal, Principals } from '../mcp/principals.js';
import { ScopeService } from '../scope/scope.service.js';
import { ServerFacts } from './admin-parts.js';

/** The scope of a principal; null if it may see nothing of this server. */
function scopeWithin(server: Scope, { scope }: Principal): Scope | null {
  try {
    return limitScope(server, scope);
  } catch (error) {
    if (error instanceof ScopeViolationError) return null;
    throw error;
  }
}

/** The parts of records and configuration that operators may see. */
@Injectable()
export class OperatorScopesService {
  constructor(
    private readonly server: ServerFacts,
    private readonly scopes: ScopeService,
    private readonly principals: Principals,
  ) {}

  /**
   * The scope of the records that an operator may see; null if its principal is not narrowed and it may see all records.
   * @throws ScopeViolationError if it may see nothing of this server
   */
  async of({ scope }: Principal): Promise<Scope | null> {
    return recordsWithin(scope, await this.ofServer());
  }

  /** The principals whose calls an operator may see. */
  async principalsSeenBy(operator: Principal): Promise<readonly Principal[]> {
    const all = [...BUILT_IN, ...this.principals.all];
    const own = await this.of(operator);
    if (!own) return all;
    const server = await this.ofServer();
    return all.filter((principal) => {
      const theirs = scopeWithin(server, principal);
      return theirs !== null && scopeCovers(own, theirs);
    });
  }

  private ofServer(): Promise<Scope> {
    return this.scopes.forOperators(this.server.now());
  }
}
