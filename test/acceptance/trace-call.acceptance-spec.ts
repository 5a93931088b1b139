import { CALL_MEASURES, complaint } from '../../scripts/structure-limits.mjs';
import { traceCall } from '../../scripts/trace-call.mjs';

describe('one call of kb.retrieve_evidence', () => {
  it('executes no more files and functions than the limits allow', async () => {
    const trace = await traceCall();
    expect(trace.files).toContain('kb/evidence/evidence.service.ts');
    expect(CALL_MEASURES.flatMap((measure) => complaint(measure, trace) ?? [])).toEqual([]);
  });
});
