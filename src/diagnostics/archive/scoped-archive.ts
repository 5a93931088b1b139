import { isNarrowed, limitScope, type Scope, type ScopeLimit } from '../../core/scope.js';
import type { DiagnosticRecord } from '../record/diagnostic-record.js';
import { hasScope, isWithin } from '../record/recorded-scope.js';
import type { DiagnosticArchive, DiagnosticPage, ListOptions } from './diagnostic-archive.js';
import type { DiagnosticFilter } from './diagnostic-filter.js';

/** Reads an archive within a scope, because servers of several projects may share a folder. */
export class ScopedArchive {
  constructor(
    private readonly archive: DiagnosticArchive,
    private readonly scope: () => Promise<Scope>,
    /** True for operators with a limit: a call that was refused before it had a scope could be anybody's. */
    private readonly isScoped = false,
  ) {}

  /** The part of the archive that an operator with a limit may read. */
  within(limit: ScopeLimit): ScopedArchive {
    const scope = async (): Promise<Scope> => limitScope(await this.scope(), limit);
    return new ScopedArchive(this.archive, scope, isNarrowed(limit));
  }

  async list(filter: DiagnosticFilter, options: ListOptions): Promise<DiagnosticPage> {
    return this.archive.list({ ...filter, scope: await this.scope(), isScoped: this.isScoped }, options);
  }

  async find(id: string, day?: string): Promise<DiagnosticRecord | null> {
    const record = await this.archive.find(id, day);
    if (!record || (this.isScoped && !hasScope(record))) return null;
    return isWithin(await this.scope(), record) ? record : null;
  }

  async markdown(id: string, day?: string): Promise<string | null> {
    return (await this.find(id, day)) && this.archive.markdown(id, day);
  }
}
