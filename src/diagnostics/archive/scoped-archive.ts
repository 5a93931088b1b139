import { limitScope, type Scope, type ScopeRequest } from '../../core/scope.js';
import type { DiagnosticRecord } from '../record/diagnostic-record.js';
import { isWithin } from '../record/recorded-scope.js';
import type { DiagnosticArchive, DiagnosticPage, ListOptions } from './diagnostic-archive.js';
import type { DiagnosticFilter } from './diagnostic-filter.js';

/** Reads an archive within a scope, because servers of several projects may share a folder. */
export class ScopedArchive {
  constructor(
    private readonly archive: DiagnosticArchive,
    private readonly scope: () => Promise<Scope>,
  ) {}

  /** The part of the archive that an operator with a limit may read. */
  within(limit: ScopeRequest): ScopedArchive {
    return new ScopedArchive(this.archive, async () => limitScope(await this.scope(), limit));
  }

  async list(filter: DiagnosticFilter, options: ListOptions): Promise<DiagnosticPage> {
    return this.archive.list({ ...filter, scope: await this.scope() }, options);
  }

  async find(id: string, day?: string): Promise<DiagnosticRecord | null> {
    const record = await this.archive.find(id, day);
    return record && isWithin(await this.scope(), record) ? record : null;
  }

  async markdown(id: string, day?: string): Promise<string | null> {
    return (await this.find(id, day)) && this.archive.markdown(id, day);
  }
}
