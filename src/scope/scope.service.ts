import { Injectable } from '@nestjs/common';
import { ScopeConfig } from '../config/scope.config.js';
import { BackendUnavailableError } from '../errors.js';
import { SectionIndex } from '../kb/section-index.port.js';
import type { IndexStamp } from '../kb/section-index.port.js';
import { narrowScope } from './scope.js';
import type { Scope, ScopeRequest } from './scope.js';

const listOrAll = (values: readonly string[]): readonly string[] | null =>
  values.length > 0 ? [...new Set(values)].sort() : null;

/** Decides what a call may see. */
@Injectable()
export class ScopeService {
  constructor(
    private readonly index: SectionIndex,
    private readonly config: ScopeConfig,
  ) {}

  /**
   * The configured scope, narrowed by the request.
   * @throws ScopeViolationError; BackendUnavailableError `index_incompatible` when the index is another project's
   */
  async resolve(asked: ScopeRequest | undefined): Promise<Scope> {
    const stamp = await this.index.stamp();
    this.checkIndex(stamp);
    const own: Scope = {
      projectId: stamp.projectId,
      environment: stamp.environment,
      docTags: listOrAll(this.config.docTags),
      repositories: listOrAll(this.config.repositories),
    };
    return narrowScope(own, asked);
  }

  private checkIndex({ projectId, environment }: IndexStamp): void {
    const isOurs =
      projectId === (this.config.project || projectId) &&
      environment === (this.config.environment || environment);
    if (isOurs) return;
    throw new BackendUnavailableError(
      'The index holds another project or environment than this server answers for.',
      {
        reason: 'index_incompatible',
        hint: 'The operator should point PITH_INDEX to the right index, or correct PITH_PROJECT and PITH_ENVIRONMENT.',
      },
    );
  }
}
