import { nullIfLost } from '../../core/errors.js';
import { findHidden, type SectionIndex } from '../../core/ports/section-index.port.js';
import { isNarrowed, limitScope, type Scope, type ScopeLimit } from '../../core/scope.js';
import { pagePath } from '../../core/section-id.js';
import type { DiagnosticRecord } from '../record/diagnostic-record.js';
import { hasScope, isWithin } from '../record/recorded-scope.js';
import type { DiagnosticArchive, DiagnosticPage, ListOptions } from './diagnostic-archive.js';
import type { DiagnosticFilter } from './diagnostic-filter.js';

/** Times that one list reads the archive. */
const MAX_READS = 10;

/** The sections that a record names, and other texts of its request. */
const sectionsIn = ({ request, results, left_out, pre_dedupe = [] }: DiagnosticRecord): string[] =>
  [
    ...Object.values(request ?? {}).flat(),
    ...[...results, ...left_out].flatMap(({ chunk_id, explain }) => [chunk_id, ...explain.graph_path]),
    ...pre_dedupe.map(({ chunk_id }) => chunk_id),
    ...[...left_out, ...pre_dedupe].map(({ instead }) => instead),
  ].filter((id) => typeof id === 'string');

/** Reads an archive within a scope, because servers of several projects may share a folder. */
export class ScopedArchive {
  constructor(
    private readonly archive: DiagnosticArchive,
    private readonly scope: () => Promise<Scope>,
    private readonly index: Pick<SectionIndex, 'sections'>,
    /** True for operators with a limit: a call that was refused before it had a scope could be anybody's. */
    private readonly isScoped = false,
  ) {}

  /** The part of the archive that an operator with a limit may read. */
  within(limit: ScopeLimit): ScopedArchive {
    const scope = async (): Promise<Scope> => limitScope(await this.scope(), limit);
    return new ScopedArchive(this.archive, scope, this.index, isNarrowed(limit));
  }

  /** A page with hidden records is filled from older ones, up to a limit; it is then not complete. */
  async list(filter: DiagnosticFilter, { limit, before }: ListOptions): Promise<DiagnosticPage> {
    const scope = await this.scope();
    const within = { ...filter, scope, isScoped: this.isScoped };
    let page: DiagnosticPage = { records: [], next: before ?? null, isComplete: true, skipped: 0 };
    for (let reads = 1; ; reads++) {
      const { records, skipped } = page;
      const rest = { limit: limit - records.length, before: page.next ?? undefined };
      const older = await this.archive.list(within, rest);
      const found = [...records, ...(await this.present(scope, older.records))];
      page = { ...older, records: found, skipped: skipped + older.skipped };
      if (page.next === null || !page.isComplete || found.length === limit) return page;
      if (reads === MAX_READS) return { ...page, isComplete: false };
    }
  }

  async find(id: string, day?: string): Promise<DiagnosticRecord | null> {
    const record = await this.archive.find(id, day);
    if (!record || (this.isScoped && !hasScope(record))) return null;
    const scope = await this.scope();
    return isWithin(scope, record) ? ((await this.present(scope, [record]))[0] ?? null) : null;
  }

  async markdown(id: string, day?: string): Promise<string | null> {
    return (await this.find(id, day)) && this.archive.markdown(id, day);
  }

  /** Records without a section of a document that is hidden now. If the index can't be read, any may be hidden from a limit. */
  private async present(
    scope: Scope,
    records: readonly DiagnosticRecord[],
  ): Promise<readonly DiagnosticRecord[]> {
    // Who has no groups sees no document with groups.
    const within = { groups: [], ...scope };
    const hidden = await findHidden(this.index, within, records.flatMap(sectionsIn)).catch(nullIfLost);
    const isLimited = [scope.docTags, scope.repositories, scope.groups].some((list) => list);
    const isHidden = (id: string): boolean => hidden?.has(pagePath(id)) ?? isLimited;
    return records.filter((record) => !sectionsIn(record).some(isHidden));
  }
}
