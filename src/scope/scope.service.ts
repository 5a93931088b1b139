import { Injectable } from '@nestjs/common';
import { ScopeConfig } from '../config/scope.config.js';
import { BackendUnavailableError } from '../errors.js';
import { SectionIndex } from '../kb/section-index.port.js';
import type { IndexStamp } from '../kb/section-index.port.js';
import { narrowScope } from './scope.js';
import type { Scope, ScopeRequest } from './scope.js';

const listOrAll = (values: readonly string[]): readonly string[] | null =>
  values.length > 0 ? [...new Set(values)].sort() : null;

/**
 * How long an index is taken to be the same project's without asking it. The index itself refuses questions about
 * another project, so a stale answer costs an error, never a leak.
 */
const FRESH_MS = 1_000;

/** Decides what a call may see. */
@Injectable()
export class ScopeService {
  private last: { readonly stamp: IndexStamp; readonly at: number } | null = null;

  constructor(
    private readonly index: SectionIndex,
    private readonly config: ScopeConfig,
  ) {}

  /**
   * The configured scope, narrowed by the request.
   * @param now  milliseconds since the epoch
   * @throws ScopeViolationError; BackendUnavailableError `index_incompatible` when the index is another project's
   */
  async resolve(asked: ScopeRequest | undefined, now: number): Promise<Scope> {
    const stamp = await this.freshStamp(now);
    this.checkIndex(stamp);
    const own: Scope = {
      projectId: stamp.projectId,
      environment: stamp.environment,
      docTags: listOrAll(this.config.docTags),
      repositories: listOrAll(this.config.repositories),
    };
    return narrowScope(own, asked);
  }

  /** The configured scope, also while no documents are indexed. @throws as `resolve` does for an index that is there */
  async beforeDocuments(now: number): Promise<Scope> {
    try {
      return await this.resolve(undefined, now);
    } catch (error) {
      if (!(error instanceof BackendUnavailableError) || error.reason !== 'index_missing') throw error;
      const { project, environment, docTags, repositories } = this.config;
      return {
        projectId: project,
        environment,
        docTags: listOrAll(docTags),
        repositories: listOrAll(repositories),
      };
    }
  }

  private async freshStamp(now: number): Promise<IndexStamp> {
    if (this.last && now - this.last.at < FRESH_MS) return this.last.stamp;
    this.last = { stamp: await this.index.stamp(), at: now };
    return this.last.stamp;
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
