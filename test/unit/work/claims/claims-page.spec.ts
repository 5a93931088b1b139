import type { Claim } from '../../../../src/work/claims/claim.js';
import {
  type CheckedPiece,
  claimPage,
  claimsPage,
  parseClaimId,
  parseClaimsQuery,
} from '../../../../src/work/claims/claims-page.js';
import { aClaim, aClaimDecision, aPiece } from '../../../support/a-claim.js';
import { FRAME } from '../../../support/admin-parts.js';

const stored = (overrides: Partial<Claim> = {}): Claim => ({
  ...aClaim(),
  ...{ createdAt: 1, state: 'open', position: 1, evidence: [aPiece()], decisions: [] },
  ...overrides,
});

const flat = (page: string): string => page.replace(/\s+/g, ' ').replace(/<\/?bdi[^>]*>/g, '');
const listed = (claims: Claim[], older: number | null = null): string =>
  flat(claimsPage({ claims, older }, { state: 'open' }, FRAME));
const shown = (claim: Claim, ...standings: CheckedPiece['standing'][]): string => {
  const pieces = standings.map((standing) => ({ piece: aPiece(), standing }));
  return flat(claimPage({ claim, pieces, after: 0 }, FRAME));
};

const PLACE = { section_id: 'new.md#use', start_char: 4, end_char: 11, path: 'new.md' };
const CHANGE = { old_text: 'Use it 5 times.', new_text: 'Use it 50 times.', only_white_space: false };

describe('claimsPage', () => {
  it('links each claim and counts its evidence', () => {
    const evidence = [aPiece(), aPiece({ id: 'e2', stance: 'contradicts' }), aPiece({ id: 'e3' })];
    const page = listed([stored({ evidence })]);
    expect(page).toContain('<a href="/admin/claims/c1">Sails are set in calm air.</a>');
    expect(page).toContain('2 for, 1 against');
  });

  it('says that evidence was added after the decision', () => {
    const decided = { state: 'accepted', decisions: [aClaimDecision({ approvedAt: 5 })] } as const;
    const evidence = [aPiece({ addedAt: 4 }), aPiece({ addedAt: 6 })];
    expect(listed([stored({ ...decided, evidence })])).toContain('1 added later');
    expect(listed([stored({ ...decided, evidence: evidence.slice(0, 1) })])).not.toContain('added later');
  });

  it('keeps the filter on the next page', () => {
    expect(listed([stored()], 3)).toContain('href="/admin/claims?state=open&amp;before=3"');
    expect(listed([stored()])).not.toContain('before=');
  });

  it('escapes statements', () => {
    expect(listed([stored({ statement: '<img src=x>' })])).toContain('&lt;img src=x&gt;');
  });
});

describe('claimPage', () => {
  it('shows a quote beside the text that replaces it, and marks what differs', () => {
    const page = shown(stored(), { state: 'changed', place: PLACE, change: CHANGE });
    expect(page).toContain('data-name="As linked"><span class="cell">Use it 5 times.</span>');
    expect(page).toContain(
      'data-name="Present text"><span class="cell">Use it 5<mark>0</mark> times.</span>',
    );
    expect(page).toContain('new.md#use 4–11');
  });

  it.each([
    ['holds', 'The same text.'],
    ['moved', 'The same text.'],
  ] as const)('says that a text that %s is the same', (state, words) => {
    expect(shown(stored(), { state, place: PLACE })).toContain(words);
  });

  it('shows the data of a claim with its schema, escaped', () => {
    const data = { schema: { name: 'fact', version: 2 }, json: '{"a":"<b>"}' };
    const page = shown(stored({ data }));
    expect(page).toContain('fact, version 2');
    expect(page).toContain('{&quot;a&quot;:&quot;&lt;b&gt;&quot;}');
    expect(shown(stored())).not.toContain('Data');
  });

  it('shows no text for a quote that is gone', () => {
    const page = shown(stored(), { state: 'gone' });
    expect(page).toContain('data-name="Present text"><span class="cell">–</span>');
    expect(page).toContain('data-name="As linked"><span class="cell">Use it.</span>');
  });

  it('shows every decision with its operators and its approval', () => {
    const page = shown(stored({ decisions: [aClaimDecision()] }));
    expect(page).toContain('olga');
    expect(page).toContain('<a href="/admin/approvals/a1">a1</a>');
    expect(shown(stored())).toContain('Nobody has decided about this claim.');
  });

  it('links the next page of the evidence', () => {
    const evidence = [aPiece(), aPiece({ id: 'e2' })];
    expect(shown(stored({ evidence }), { state: 'holds' })).toContain('/admin/claims/c1?after=1');
    expect(shown(stored(), { state: 'holds' })).not.toContain('after=');
  });
});

describe('addresses of claims', () => {
  it.each(['', '..', 'x y', '%2e', 'A1'])('have no id %j', (id) => {
    expect(() => parseClaimId(id)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it.each([{ state: 'new' }, { before: '-1' }, { page: '2' }])('refuse %j', (query) => {
    expect(() => parseClaimsQuery(query)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});
