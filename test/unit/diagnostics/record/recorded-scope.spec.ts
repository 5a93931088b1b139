import { recordedScope } from '../../../../src/diagnostics/record/recorded-scope';
import { aDiagnosticRecord } from '../../../support/a-diagnostic';
import { aScope } from '../../../support/builders';

const OURS = { project_id: 'docs', environment: 'prod' };
const of = (scope: object) => aDiagnosticRecord({ scope: { ...OURS, ...scope } });

describe('recordedScope', () => {
  it('is the scope of the recorded call', () => {
    expect(recordedScope(aScope(), of({}))).toEqual(aScope());
    expect(recordedScope(aScope(), of({ doc_tag: 'a,b', repositories: ['r'] }))).toEqual(
      aScope({ docTags: ['a', 'b'], repositories: ['r'] }),
    );
    expect(recordedScope(aScope({ docTags: ['a'] }), of({ doc_tag: '' })).docTags).toEqual([]);
  });

  it('is never wider than the configured scope', () => {
    const configured = aScope({ docTags: ['b', 'c'] });
    expect(recordedScope(configured, of({ doc_tag: 'a,b' })).docTags).toEqual(['b']);
    expect(recordedScope(configured, of({})).docTags).toEqual(['b', 'c']);
    expect(() => recordedScope(configured, of({ doc_tag: 'a' }))).toThrow(
      expect.objectContaining({ code: 'SCOPE_VIOLATION' }),
    );
  });

  it.each([[{ project_id: 'other' }], [{ environment: 'dev' }]])(
    'refuses a record of another project or environment: %j',
    (other) => {
      expect(() => recordedScope(aScope(), of(other))).toThrow(
        expect.objectContaining({ reason: 'project_mismatch' }),
      );
    },
  );
});
