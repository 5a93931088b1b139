import { eventText } from '../../src/governance/ledger/event-text.js';
import {
  chainLines,
  ledgerKeys,
  NO_LINE,
  signHead,
  type StoredHead,
  type StoredLine,
} from '../../src/governance/ledger/ledger-chain.js';
import type {
  CallCompletedEvent,
  CallStartedEvent,
  CheckpointEvent,
  RecordedEvent,
} from '../../src/governance/ledger/ledger-event.js';
import { SECRET } from './builders.js';

/** Keys of built ledgers. */
export const KEYS = ledgerKeys(SECRET);

/** Time of built lines. */
export const TIME = '2026-01-01T00:00:00.000Z';

const CALL = {
  call_id: 'call-1',
  run_id: 'run-1',
  tool: 'kb.search',
  principal: 'local',
  agent: 'default',
  rule: 'reads',
  effect: 'allow',
};

export const aStart = (overrides: Partial<CallStartedEvent> = {}): CallStartedEvent => ({
  type: 'tool.call.started',
  ...CALL,
  version: '1',
  input_hash: 'h'.repeat(43),
  session: 'session-1',
  scope: { project: 'docs', environment: 'prod', doc_tags: null, repositories: ['pith'] },
  ...overrides,
});

export const anEnd = (overrides: Partial<CallCompletedEvent> = {}): CallCompletedEvent => ({
  type: 'tool.call.completed',
  ...CALL,
  outcome: 'success',
  executed: true,
  refs: [{ type: 'section', id: 'guide.md#use' }],
  bytes: 812,
  tokens: 203,
  duration_ms: 12.5,
  error_code: null,
  ...overrides,
});

/** One event of each call after the other: `call-1`, `call-2`, … */
export const startsOf = (count: number, overrides: Partial<CallStartedEvent> = {}): CallStartedEvent[] =>
  Array.from({ length: count }, (_, i) => aStart({ call_id: `call-${i + 1}`, ...overrides }));

export interface BuiltLedger {
  readonly lines: readonly StoredLine[];
  readonly head: StoredHead;
}

/** A ledger in memory. */
export function aLedger(events: readonly (RecordedEvent | CheckpointEvent)[], after = NO_LINE): BuiltLedger {
  const lines = chainLines(
    events.map((event) => ({ time: TIME, event: eventText(event) })),
    after,
    KEYS,
  );
  return { lines, head: signHead(lines.at(-1) ?? after, KEYS) };
}
