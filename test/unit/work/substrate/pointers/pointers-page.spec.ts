import type { Pointer, PointerMove } from '../../../../../src/work/substrate/pointers/pointer-store.js';
import {
  parsePointerName,
  parsePointerPlace,
  parsePointersPlace,
  pointerPage,
  type PointerPlace,
  type PointerRows,
  pointersPage,
  type PointerView,
} from '../../../../../src/work/substrate/pointers/pointers.controller.js';
import { sha256Of } from '../../../../support/a-substrate.js';
import { FRAME } from '../../../../support/admin-parts.js';

const [FIRST, SECOND, FILE] = [sha256Of('first'), sha256Of('second'), sha256Of('file')];

const aPointer = (overrides: Partial<Pointer> = {}): Pointer => ({
  ...{ namespace: 'team', name: 'policies', type: 'corpus', description: 'All policies.' },
  ...{ manifestSha256: SECOND, version: 2, createdAt: 1, movedAt: 2 },
  ...overrides,
});
const aMove = (overrides: Partial<PointerMove> = {}): PointerMove => ({
  ...{ version: 2, oldSha256: FIRST, newSha256: SECOND, by: 'ann', reason: 'New leave rules.', at: 2 },
  ...overrides,
});
const aFile = { path: 'leave.md', artifact_sha256: FILE };

const flat = (page: string): string => page.replace(/\s+/g, ' ').replace(/<\/?bdi[^>]*>/g, '');
const listed = (rows: Partial<PointerRows> = {}): string =>
  flat(pointersPage({ pointers: [aPointer()], after: 0, hasMore: false, ...rows }, FRAME));
const shown = (view: Partial<PointerView> = {}, place: PointerPlace = {}): string => {
  const whole = { pointer: aPointer(), moves: [aMove()], earlier: null, files: [aFile], fileCount: 1 };
  return flat(pointerPage({ ...whole, ...view }, place, FRAME));
};

describe('pointersPage', () => {
  it('links each pointer, and shows its type, manifest, version and time', () => {
    const page = listed();
    expect(page).toContain('<a href="/admin/pointers/team/policies">team/policies</a>');
    expect(page).toContain('data-name="Type"><span class="cell">corpus</span>');
    expect(page).toContain(`data-name="Current manifest"><span class="cell">${SECOND}</span>`);
    expect(page).toContain('data-name="Version"><span class="cell">2</span>');
    expect(page).toContain(
      'data-name="Last moved"><span class="cell"><time datetime="1970-01-01T00:00:00.002Z">',
    );
  });

  it('links the first and the next page', () => {
    expect(listed()).not.toContain('after=');
    const page = listed({ after: 50, hasMore: true });
    expect(page).toContain('href="/admin/pointers?after=51"');
    expect(page).toContain('<a href="/admin/pointers">← First</a>');
  });

  it.each([
    [0, 'There are no pointers.'],
    [9, 'There are no more pointers.'],
  ])('says that there are none after %i', (after, words) => {
    expect(listed({ pointers: [], after })).toContain(words);
  });
});

describe('pointerPage', () => {
  it('shows every move with its manifest, its principal and its reason', () => {
    const created = aMove({ version: 1, oldSha256: null, newSha256: FIRST, reason: 'created', at: 1 });
    const page = shown({ moves: [aMove(), created] });
    expect(page).toContain(`data-name="Manifest"><span class="cell">${SECOND}</span>`);
    expect(page).toContain(`data-name="Manifest"><span class="cell">${FIRST}</span>`);
    expect(page).toContain('data-name="Reason"><span class="cell">New leave rules.</span>');
    expect(page).toContain('data-name="Moved by"><span class="cell">ann</span>');
  });

  it('shows the files of the manifest with their artifacts and metadata', () => {
    const metadata = [
      { name: 'title', value: 'Leave' },
      { name: 'owner', value: 'HR' },
    ];
    const page = shown({ files: [{ ...aFile, metadata }], fileCount: 1 });
    expect(page).toContain('data-name="Path"><span class="cell">leave.md</span>');
    expect(page).toContain(`data-name="Artifact"><span class="cell">${FILE}</span>`);
    expect(page).toContain('data-name="Metadata"><span class="cell">title: Leave<br />owner: HR</span>');
    expect(page).toContain('1 to 1 of 1, by path');
  });

  it('pages the history and the files apart: a link to a page of one keeps the page of the other', () => {
    const page = shown({ earlier: 2, fileCount: 9 }, { before: 3, after: 4 });
    expect(page).toContain('5 to 5 of 9, by path');
    expect(page).toContain('href="/admin/pointers/team/policies?before=2&amp;after=4"');
    expect(page).toContain('href="/admin/pointers/team/policies?after=4"');
    expect(page).toContain('href="/admin/pointers/team/policies?before=3&amp;after=5"');
    expect(page).toContain('href="/admin/pointers/team/policies?before=3"');
  });

  it('links no other page if there is only one', () => {
    expect(shown()).not.toContain('href="/admin/pointers/team');
  });

  it.each<[Partial<PointerView>, PointerPlace, string]>([
    [{ moves: [] }, { before: 1 }, 'There are no earlier moves.'],
    [{ files: [], fileCount: 0 }, {}, 'The manifest has no files.'],
    [{ files: [] }, { after: 7 }, 'There are no more files.'],
  ])('says that a list is empty: %j at %j', (view, place, words) => {
    expect(shown(view, place)).toContain(words);
  });

  it('escapes text of callers', () => {
    const text = '<img src=x>';
    const page = shown({
      pointer: aPointer({ description: text }),
      moves: [aMove({ reason: text, by: text })],
      files: [{ ...aFile, path: text, metadata: [{ name: text, value: text }] }],
    });
    expect(page.split('&lt;img src=x&gt;')).toHaveLength(7);
    expect(page).not.toContain(text);
  });
});

describe('addresses of pointers', () => {
  it.each([
    { namespace: '..', name: 'a' },
    { namespace: 'a', name: 'A' },
    { namespace: 'a', name: 'b/c' },
    { namespace: 'a', name: '' },
  ])('have no name %j', (params) => {
    expect(() => parsePointerName(params)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it.each([{ before: '-1' }, { after: 'x' }, { page: '2' }, { after: ['1', '2'] }])('refuse %j', (query) => {
    const refusal = expect.objectContaining({ code: 'INVALID_ARGUMENT' });
    expect(() => parsePointerPlace(query)).toThrow(refusal);
    expect(() => parsePointersPlace(query)).toThrow(refusal);
  });
});
