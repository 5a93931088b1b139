import { isRecordedWithin, lineScope } from '../../../../src/governance/ledger/line-scope.js';
import { aScope } from '../../../support/builders.js';

const GUIDES = { project: 'docs', environment: 'prod', doc_tags: ['guide'], repositories: null };

describe('isRecordedWithin', () => {
  it.each<[string, boolean, unknown]>([
    ['the same scope', true, GUIDES],
    ['a narrower one', true, { ...GUIDES, repositories: ['pith'] }],
    ['one that matches nothing', true, { ...GUIDES, doc_tags: [] }],
    ['every tag', false, { ...GUIDES, doc_tags: null }],
    ['a further tag', false, { ...GUIDES, doc_tags: ['guide', 'hr'] }],
    ['another project', false, { ...GUIDES, project: 'other' }],
    ['another environment', false, { ...GUIDES, environment: 'dev' }],
    ['a list that may have been cut', false, { ...GUIDES, doc_tags: Array(100).fill('guide') }],
    ['no scope', false, undefined],
    ['the limit of a principal', true, { ...GUIDES, project: null, environment: null }],
    ['a wider limit', false, { ...GUIDES, project: null, environment: null, doc_tags: null }],
    ['a limit to another project', false, { ...GUIDES, project: 'other', environment: null }],
    ['a line that was changed', false, { ...GUIDES, doc_tags: 5 }],
  ])('%s: %s', (_, expected, recorded) => {
    expect(isRecordedWithin(aScope({ docTags: ['guide'] }), recorded)).toBe(expected);
  });
});

describe('lineScope', () => {
  it('is the scope of a call, in the names of the ledger', () => {
    expect(lineScope(aScope({ docTags: ['guide'] }))).toEqual({ scope: GUIDES });
  });

  describe('before the scope is known', () => {
    const UNKNOWN = aScope({ projectId: '', environment: '' });

    it('is the limit of the principal', () => {
      expect(lineScope(UNKNOWN, { doc_tags: ['guide'] })).toEqual({
        scope: { ...GUIDES, project: null, environment: null },
      });
      expect(lineScope(UNKNOWN, { project_id: 'docs', environment: 'prod', repositories: ['r'] })).toEqual({
        scope: { project: 'docs', environment: 'prod', doc_tags: null, repositories: ['r'] },
      });
    });

    it('is absent for a principal without a limit', () => {
      expect(lineScope(UNKNOWN, {})).toEqual({});
    });
  });
});
