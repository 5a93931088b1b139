import fc from 'fast-check';
import { ScopeViolationError } from '../../../src/core/errors.js';
import {
  isNarrowed,
  limitScope,
  limitsDocuments,
  narrowScope,
  recordsWithin,
  type Scope,
  scopeAllows,
  scopeCovers,
  type ScopeRequest,
} from '../../../src/core/scope.js';
import { aScope } from '../../support/builders.js';

function refusalOf(own: Scope, asked: ScopeRequest): ScopeViolationError | null {
  try {
    narrowScope(own, asked);
    return null;
  } catch (error) {
    return error instanceof ScopeViolationError ? error : null;
  }
}

const aFewTags = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 });

describe('narrowScope', () => {
  it.each<[string, Partial<Scope>, ScopeRequest | undefined, Partial<Scope>]>([
    ['keeps the configured scope without a request', { docTags: ['a'] }, undefined, { docTags: ['a'] }],
    ['keeps it for an empty request', { docTags: ['a'] }, {}, { docTags: ['a'] }],
    ['keeps it for its own project and environment', {}, { project_id: 'docs', environment: 'prod' }, {}],
    ['narrows everything to what is asked', {}, { doc_tags: ['b', 'a', 'b'] }, { docTags: ['a', 'b'] }],
    [
      'narrows a list to what is in both',
      { docTags: ['a', 'b'] },
      { doc_tags: ['b', 'c'] },
      { docTags: ['b'] },
    ],
    [
      'narrows repositories alike',
      { repositories: ['x', 'y'] },
      { repositories: ['y'] },
      { repositories: ['y'] },
    ],
    [
      'narrows to nothing by an empty list',
      { docTags: ['a'] },
      { doc_tags: [], repositories: [] },
      { docTags: [], repositories: [] },
    ],
  ])('%s', (_, own, asked, expected) => {
    expect(narrowScope(aScope(own), asked)).toEqual(aScope(expected));
  });

  it.each<[string, ScopeRequest, string]>([
    ['another project', { project_id: 'other' }, 'project_mismatch'],
    ['another environment', { environment: 'dev' }, 'environment_mismatch'],
    ['doc tags wholly outside', { doc_tags: ['c', 'd'] }, 'doc_tags_mismatch'],
    ['repositories wholly outside', { repositories: ['z'] }, 'repositories_mismatch'],
    ['a project in another case', { project_id: 'Docs' }, 'project_mismatch'],
  ])('rejects %s', (_, asked, reason) => {
    const own = aScope({ docTags: ['a', 'b'], repositories: ['x'] });
    expect(refusalOf(own, asked)).toMatchObject({ code: 'SCOPE_VIOLATION', reason });
  });

  it('reveals neither the requested nor the existing values', () => {
    const own = aScope({ docTags: ['tag-of-ours'] });
    const refusal = refusalOf(own, { doc_tags: ['tag-of-theirs'] });
    expect(refusal?.message).toBe(refusalOf(own, { doc_tags: ['never-heard-of'] })?.message);
    expect(JSON.stringify([refusal?.message, refusal?.hint, refusal?.details])).not.toContain('tag-of');
  });

  it('never widens: the configured scope allows everything that the result allows', () => {
    fc.assert(
      fc.property(aFewTags, aFewTags, fc.constantFrom('a', 'b', 'c', 'd'), (own, asked, docTag) => {
        fc.pre(own.some((tag) => asked.includes(tag)));
        const narrowed = narrowScope(aScope({ docTags: own }), { doc_tags: asked });
        const row = { docTag, repository: 'x' };
        expect(scopeAllows(narrowed, row)).toBe(own.includes(docTag) && asked.includes(docTag));
      }),
    );
  });
});

describe('scopeAllows', () => {
  const row = { docTag: 'a', repository: 'x' };

  it.each<[string, Partial<Scope>, boolean]>([
    ['allows everything without lists', {}, true],
    ['allows a listed tag', { docTags: ['b', 'a'] }, true],
    ['refuses another tag', { docTags: ['b'] }, false],
    ['refuses another repository', { docTags: ['a'], repositories: ['y'] }, false],
    ['allows nothing by an empty list', { docTags: [] }, false],
    ['does not match wildcards or a different case', { docTags: ['*', 'A'] }, false],
  ])('%s', (_, scope, isAllowed) => {
    expect(scopeAllows(aScope(scope), row)).toBe(isAllowed);
  });
});

describe('limitScope', () => {
  const configured = aScope({ docTags: ['a', 'b'] });

  it('never widens: what a limited scope allows, the configured one allows', () => {
    expect(limitScope(configured, { doc_tags: ['b', 'c'] })).toEqual(aScope({ docTags: ['b'] }));
    expect(limitScope(aScope(), { doc_tags: ['c'] })).toEqual(aScope({ docTags: ['c'] }));
    expect(limitScope(configured, {})).toEqual(configured);
  });

  it.each([{ doc_tags: ['c'] }, { project_id: 'other' }, { environment: 'test' }])(
    'refuses %j, which shares nothing with the server',
    (limit) => {
      expect(() => limitScope(configured, limit)).toThrow(ScopeViolationError);
    },
  );

  it('uses the project of the limit if that of the server is not known', () => {
    const unknown = aScope({ projectId: '', environment: '' });
    expect(limitScope(unknown, { project_id: 'p' })).toMatchObject({ projectId: 'p', environment: '' });
    expect(limitScope(unknown, { environment: 'e' })).toMatchObject({ projectId: '', environment: 'e' });
  });

  it('says why nothing is left, and that the operator can change it', () => {
    const refused = () => limitScope(configured, { project_id: 'other' });
    expect(refused).toThrow(
      expect.objectContaining({
        reason: 'project_mismatch',
        hint: expect.stringContaining('operator'),
        cause: expect.any(ScopeViolationError),
      }),
    );
  });

  it('passes on errors of other kinds', () => {
    const limit = {
      get project_id(): string {
        throw new TypeError('broken');
      },
    };
    expect(() => limitScope(configured, limit)).toThrow(TypeError);
  });
});

describe('isNarrowed', () => {
  it.each<[ScopeRequest, boolean, boolean]>([
    [{}, false, false],
    [{ project_id: undefined, doc_tags: undefined, repositories: undefined }, false, false],
    [{ project_id: 'docs' }, true, false],
    [{ environment: 'prod' }, true, false],
    [{ doc_tags: [] }, true, true],
    [{ project_id: undefined, repositories: ['x'] }, true, true],
  ])('%j: %s; limits documents: %s', (limit, narrows, limits) => {
    expect([isNarrowed(limit), limitsDocuments(limit)]).toEqual([narrows, limits]);
  });
});

describe('recordsWithin', () => {
  const server = aScope({ docTags: ['a', 'b'] });

  it('is null for an operator without a limit, who reads all records', () => {
    expect(recordsWithin({}, server)).toBeNull();
  });

  it('is the scope of the server within the limit of the operator', () => {
    expect(recordsWithin({ doc_tags: ['b', 'c'] }, server)).toEqual(aScope({ docTags: ['b'] }));
    expect(recordsWithin({ environment: 'prod' }, server)).toEqual(server);
  });

  it('refuses an operator who may see nothing of the server', () => {
    expect(() => recordsWithin({ doc_tags: ['c'] }, server)).toThrow(ScopeViolationError);
  });
});

describe('scopeCovers', () => {
  it.each<[string, boolean, Partial<Scope>, Partial<Scope>]>([
    ['everything', true, {}, { docTags: ['a'] }],
    ['itself', true, { docTags: ['a'] }, { docTags: ['a'] }],
    ['a part of its tags', true, { docTags: ['a', 'b'] }, { docTags: ['b'] }],
    ['what matches nothing', true, { docTags: ['a'] }, { docTags: [] }],
    ['any project, if it has none', true, { projectId: '' }, { projectId: 'other' }],
    ['any environment, if it has none', true, { environment: '' }, { environment: 'other' }],
    ['a part of its repositories', true, { repositories: ['r', 's'] }, { repositories: ['s'] }],
    ['other repositories', false, { repositories: ['r'] }, { repositories: ['r', 's'] }],
    ['more tags', false, { docTags: ['a'] }, { docTags: ['a', 'b'] }],
    ['all tags', false, { docTags: ['a'] }, {}],
    ['all repositories', false, { repositories: ['r'] }, { docTags: ['a'] }],
    ['another project', false, {}, { projectId: 'other' }],
    ['another environment', false, { projectId: '' }, { environment: 'other' }],
  ])('%s: %s', (_, expected, scope, inner) => {
    expect(scopeCovers(aScope(scope), aScope(inner))).toBe(expected);
  });
});
