import { AdminParts } from '../../src/admin/admin-parts.js';
import type { DiagnosticSource } from '../../src/admin/admin-parts.js';
import { CallHistory } from '../../src/admin/facts/call-history.js';
import { parseConfig } from '../../src/config/config.js';
import type { DiagnosticRecord } from '../../src/diagnostics/record/diagnostic-record.js';
import { FixedIndex, NOW } from './builders.js';

/** An archive with only these records, on one page. */
export function sourceOf(records: readonly DiagnosticRecord[]): DiagnosticSource {
  const find = async (id: string) => records.find(({ diagnostic_id: own }) => own === id) ?? null;
  return {
    list: async () => ({ records, next: null, isComplete: true, skipped: 0 }),
    find,
    markdown: async (id) => ((await find(id)) ? `# Retrieval Diagnostics — ${id}\n` : null),
  };
}

/** The dependencies of the admin console, before any calls. */
export function adminParts(parts: Partial<AdminParts> = {}): AdminParts {
  const now = parts.now ?? (() => NOW);
  return {
    config: parseConfig({ PITH_ADMIN_TOKEN: 'the-operators-token' }),
    index: new FixedIndex([]),
    graph: null,
    scratch: { check: async () => undefined },
    diagnostics: sourceOf([]),
    writer: { counters: () => ({ queued: 0, written: 0, dropped: 0, failed: 0 }), accepts: () => true },
    history: new CallHistory(now),
    metrics: { contentType: 'text/plain; version=0.0.4; charset=utf-8', text: async () => 'pith_up 1\n' },
    tools: ['kb.search', 'kb.retrieve_evidence'],
    version: '0.0.0',
    startedAt: NOW - 3_600_000,
    now,
    ...parts,
  };
}
