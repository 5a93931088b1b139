import { FATES } from '../../../../src/diagnostics/record/diagnostic-record';
import { recordedFate, sayRecorded } from '../../../../src/diagnostics/report/locate-section';
import { aDiagnosticHit, aDiagnosticRecord, aLeftOutCandidate } from '../../../support/a-diagnostic';

const record = aDiagnosticRecord({
  left_out: [aLeftOutCandidate({ chunk_id: 'left.md', rank: 4, fate: 'budget' })],
});
const hits = [
  aDiagnosticHit({ chunk_id: 'left.md', rank: 2 }),
  aDiagnosticHit({ chunk_id: 'twin.md', rank: 3, fate: 'near_duplicate', instead: 'guide.md#use' }),
];

describe('recordedFate', () => {
  it('returns the fate of returned and left-out sections', () => {
    expect(recordedFate(record, 'guide.md#use')).toMatchObject({ fate: 'returned', rank: 1 });
    expect(recordedFate(record, 'left.md')).toMatchObject({ fate: 'budget', rank: 4 });
  });

  it('returns the fate of dropped rows if they are recorded, but prefers the fate of left-out sections', () => {
    const debug = aDiagnosticRecord({ ...record, pre_dedupe: hits });
    const twin = { fate: 'near_duplicate', rank: 3, instead: 'guide.md#use', tells_of_hits: true };
    expect(recordedFate(debug, 'twin.md')).toEqual(twin);
    expect(recordedFate(debug, 'left.md')).toMatchObject({ fate: 'budget', rank: 4 });
  });

  it('does not treat a matched row as a returned section', () => {
    const debug = aDiagnosticRecord({
      ...record,
      pre_dedupe: [aDiagnosticHit({ chunk_id: 'far.md', rank: 90 })],
    });
    expect(recordedFate(debug, 'far.md')).toMatchObject({ fate: 'below_list', rank: 90 });
  });

  it('returns no fate for other sections', () => {
    const nothing = { fate: null, rank: null, instead: null, tells_of_hits: false };
    expect(recordedFate(record, 'twin.md')).toEqual(nothing);
  });
});

describe('sayRecorded', () => {
  it.each(FATES)('describes %s in a sentence', (fate) => {
    const said = sayRecorded({ fate, rank: 3, instead: null, tells_of_hits: false });
    expect(said).toMatch(/^at that time the section was .*, at rank 3\.$/);
  });

  it('says how to record more only if more can be recorded', () => {
    const nothing = { fate: null, rank: null, instead: null };
    expect(sayRecorded({ ...nothing, tells_of_hits: false })).toContain('diagnostic_debug');
    expect(sayRecorded({ ...nothing, tells_of_hits: true })).not.toContain('diagnostic_debug');
  });
});
