import type { RunChangedEvent } from '../../src/governance/ledger/ledger-event.js';
import type { RunKey, StoredRun } from '../../src/work/runs/run.js';

/** When built runs were created (ms since the epoch). */
export const CREATED_AT = Date.parse('2026-01-01T00:00:00.000Z');

export const aRun = (overrides: Partial<StoredRun> = {}): StoredRun => ({
  ...{ id: 'run_1', projectId: 'docs', environment: 'prod', principal: 'local', agent: 'default' },
  ...{
    type: 'index-update',
    name: null,
    config: null,
    inputManifest: null,
    stepSchema: null,
    status: 'created',
  },
  ...{ createdAt: CREATED_AT, startedAt: null, endedAt: null, changedAt: CREATED_AT },
  ...{ outcome: null, outputManifest: null, events: 1, checkpoint: 0 },
  ...overrides,
});

export const aRunKey = (overrides: Partial<RunKey> = {}): RunKey => ({
  ...{ id: 'run_1', projectId: 'docs', environment: 'prod', principal: 'local' },
  ...overrides,
});

/** The event with this number. */
export const aRunEvent = (number = 1, overrides: Partial<RunChangedEvent> = {}): RunChangedEvent => ({
  ...{ type: 'run.started', run_id: 'run_1', number, call_id: 'call-1', tool: 'run.start' },
  ...{ principal: 'local', agent: 'default', rule: 'runs', effect: 'allow' },
  scope: { project: 'docs', environment: 'prod', doc_tags: null, repositories: null },
  ...overrides,
});
