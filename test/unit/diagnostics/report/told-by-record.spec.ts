import { FATES } from '../../../../src/diagnostics/record/diagnostic-record';
import { sayRecorded, toldByRecord } from '../../../../src/diagnostics/report/locate-section';
import { aDiagnosticHit, aDiagnosticRecord, aLeftOutCandidate } from '../../../support/a-diagnostic';

const record = aDiagnosticRecord({
  left_out: [aLeftOutCandidate({ chunk_id: 'left.md', rank: 4, fate: 'budget' })],
});
const hits = [
  aDiagnosticHit({ chunk_id: 'left.md', rank: 2 }),
  aDiagnosticHit({ chunk_id: 'twin.md', rank: 3, fate: 'near_duplicate', instead: 'guide.md#use' }),
];

describe('toldByRecord', () => {
  it('tells what was returned and what was left out', () => {
    expect(toldByRecord(record, 'guide.md#use')).toMatchObject({ fate: 'returned', rank: 1 });
    expect(toldByRecord(record, 'left.md')).toMatchObject({ fate: 'budget', rank: 4 });
  });

  it('tells of rows that were dropped where it has them, and of the list before them', () => {
    const debug = aDiagnosticRecord({ ...record, pre_dedupe: hits });
    const twin = { fate: 'near_duplicate', rank: 3, instead: 'guide.md#use', tells_of_hits: true };
    expect(toldByRecord(debug, 'twin.md')).toEqual(twin);
    expect(toldByRecord(debug, 'left.md')).toMatchObject({ fate: 'budget', rank: 4 });
  });

  it('takes a row for no result', () => {
    const debug = aDiagnosticRecord({
      ...record,
      pre_dedupe: [aDiagnosticHit({ chunk_id: 'far.md', rank: 90 })],
    });
    expect(toldByRecord(debug, 'far.md')).toMatchObject({ fate: 'below_list', rank: 90 });
  });

  it('tells nothing of others', () => {
    const nothing = { fate: null, rank: null, instead: null, tells_of_hits: false };
    expect(toldByRecord(record, 'twin.md')).toEqual(nothing);
  });
});

describe('sayRecorded', () => {
  it.each(FATES)('says %s in a sentence', (fate) => {
    const said = sayRecorded({ fate, rank: 3, instead: null, tells_of_hits: false });
    expect(said).toMatch(/^at that time the section was .*, at rank 3\.$/);
  });

  it('says how to learn more only where there is more to learn', () => {
    const nothing = { fate: null, rank: null, instead: null };
    expect(sayRecorded({ ...nothing, tells_of_hits: false })).toContain('diagnostic_debug');
    expect(sayRecorded({ ...nothing, tells_of_hits: true })).not.toContain('diagnostic_debug');
  });
});
