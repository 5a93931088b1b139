import { Injectable } from '@nestjs/common';
import { ScopeConfig } from '../config/settings/scope.config.js';
import { namedGroups } from '../core/document-groups.js';
import { BackendUnavailableError, nullIfLost, ScopeViolationError } from '../core/errors.js';
import { type IndexStamp } from '../core/ports/index-facts.js';
import { SectionIndex } from '../core/ports/section-index.port.js';
import { limitScope, narrowScope, type Scope, type ScopeLimit, type ScopeRequest } from '../core/scope.js';

const listOrAll = (values: readonly string[]): readonly string[] | null =>
  values.length > 0 ? [...new Set(values)].sort() : null;

/**
 * Milliseconds for which the project of the index is cached. The index itself rejects queries for another project, so a
 * stale value causes an error, never a leak.
 */
const FRESH_MS = 1_000;

/**
 * A scope with only those groups that documents of the index name, so that no record has more of a caller than needed. A
 * caller without groups has an empty list if there are such documents: it does not see everything.
 */
function inIndex({ groups, ...scope }: Scope, stamp: IndexStamp | null | undefined): Scope {
  // Records must not lose groups only because the index can't be reached.
  if (!stamp) return groups === undefined ? scope : { ...scope, groups };
  const named = stamp.groups ?? [];
  if (groups === undefined && named.length === 0) return scope;
  return { ...scope, groups: namedGroups(named, groups === undefined ? [] : groups) };
}

/** Decides what a call may see. */
@Injectable()
export class ScopeService {
  private last: { readonly stamp: IndexStamp; readonly at: number } | null = null;

  constructor(
    private readonly index: SectionIndex,
    private readonly config: ScopeConfig,
  ) {}

  /**
   * The configured scope, narrowed by the limit of the caller and by the request.
   * @param now  milliseconds since the epoch
   * @throws ScopeViolationError; BackendUnavailableError `index_incompatible` if the index belongs to another project
   */
  async resolve(asked: ScopeRequest | undefined, now: number, limit: ScopeLimit = {}): Promise<Scope> {
    const stamp = await this.freshStamp(now);
    this.checkIndex(stamp);
    return narrowScope(inIndex(limitScope(this.configured(stamp), limit), stamp), asked);
  }

  /** The repositories that the index last seen does not trust. @param now  milliseconds since the epoch */
  async untrusted(now: number): Promise<ReadonlySet<string>> {
    const stamp = await this.freshStamp(now).catch(nullIfLost);
    return new Set(stamp?.untrusted);
  }

  /** The scope of lists. A caller that may see nothing of this server gets empty lists instead of errors. */
  async forLists(now: number, limit: ScopeLimit): Promise<Scope> {
    try {
      return await this.resolve(undefined, now, limit);
    } catch (error) {
      if (!(error instanceof ScopeViolationError)) throw error;
      return { ...(await this.resolve(undefined, now)), docTags: [], repositories: [] };
    }
  }

  /**
   * The configured scope within a limit, even if the documents cannot be read: none are indexed yet, or another version
   * indexed them.
   * @throws ScopeViolationError; BackendUnavailableError `index_incompatible` if the index belongs to another project
   */
  async beforeDocuments(now: number, limit: ScopeLimit = {}): Promise<Scope> {
    const stamp = await this.freshStamp(now).catch(nullIfLost);
    if (stamp) this.checkIndex(stamp);
    return inIndex(limitScope(this.configured(stamp), limit), stamp ?? this.last?.stamp);
  }

  /** The configured scope for operators who read diagnostics, even if the index belongs to another project. */
  async forOperators(now: number): Promise<Scope> {
    return this.configured(await this.freshStamp(now).catch(nullIfLost));
  }

  private configured(stamp: IndexStamp | null): Scope {
    const { project, environment, docTags, repositories } = this.config;
    return {
      groups: null,
      projectId: project || (stamp?.projectId ?? ''),
      environment: environment || (stamp?.environment ?? ''),
      docTags: listOrAll(docTags),
      repositories: listOrAll(repositories),
    };
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
      'The index belongs to another project or environment than this server.',
      {
        reason: 'index_incompatible',
        hint: 'The operator should set PITH_INDEX to the right index, or correct PITH_PROJECT and PITH_ENVIRONMENT.',
      },
    );
  }
}
