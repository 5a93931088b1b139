import type { LedgerEvent } from '../../../../src/governance/ledger/ledger-event.js';
import { type EventFilter, shownEvent } from '../../../../src/work/runs/follow-run.service.js';
import { SHOWN_TYPES } from '../../../../src/work/runs/runs.schemas.js';
import { anEnd, aStart, TIME } from '../../../support/a-ledger.js';
import { aRunEvent } from '../../../support/a-run.js';
import { aScope } from '../../../support/builders.js';

const shown = (event: LedgerEvent, filter: Partial<EventFilter> = {}) =>
  shownEvent(
    { seq: 7, time: TIME, event, previous: '', hash: '' },
    { types: null, scope: aScope(), ownTool: 'run.events', ...filter },
  );
const end = (overrides: Parameters<typeof anEnd>[0]) =>
  anEnd({
    scope: { project: 'docs', environment: 'prod', doc_tags: null, repositories: null },
    ...overrides,
  });

describe('shownEvent', () => {
  it('shows a change of the run', () => {
    expect(shown(aRunEvent(2, { type: 'run.completed', data: '1' }))).toEqual({
      ...{ sequence: 7, time: TIME, type: 'run.completed', call_id: 'call-1', tool: 'run.start' },
      ...{ number: 2, data: '1' },
    });
  });

  it('does not show why a call was not executed, nor arguments', () => {
    const refused = end({
      executed: false,
      outcome: 'refused',
      reason: 'not_offered',
      error_code: 'SCOPE_VIOLATION',
    });
    expect(shown(refused)).toMatchObject({ outcome: 'not_executed' });
    expect(JSON.stringify([shown(refused), shown(aStart({ arguments: 'secret' }))])).not.toMatch(
      /not_offered|SCOPE|reads|secret/,
    );
  });

  it.each<[string, LedgerEvent]>([
    [
      'of another project',
      end({ scope: { project: 'other', environment: 'prod', doc_tags: null, repositories: null } }),
    ],
    ['without a scope', anEnd()],
    ['of the tool that follows', end({ tool: 'run.events' })],
    ['of another type', { type: 'configuration.changed', what: 'a', before: null, after: 'b' }],
  ])('does not show a line %s', (_, event) => {
    expect(shown(event)).toBeNull();
  });

  it('shows lines of the types that are asked for', () => {
    expect(shown(aRunEvent(), { types: ['run.step'] })).toBeNull();
    expect(shown(aRunEvent(), { types: SHOWN_TYPES })).not.toBeNull();
  });
});
