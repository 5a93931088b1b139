import { ScopeConfig } from '../../../src/config/settings/scope.config.js';
import { BackendUnavailableError, DeadlineExceededError } from '../../../src/core/errors.js';
import { ScopeService } from '../../../src/scope/scope.service.js';
import { FixedIndex, NOW } from '../../support/builders.js';

const service = (config: Partial<ScopeConfig> = {}) =>
  new ScopeService(new FixedIndex([]), Object.assign(new ScopeConfig(), config));

describe('resolve', () => {
  it('takes project and environment from the index', async () => {
    expect(await service().resolve(undefined, NOW)).toEqual({
      projectId: 'docs',
      environment: 'prod',
      docTags: null,
      repositories: null,
    });
  });

  it('takes doc tags and repositories from the configuration', async () => {
    expect(
      await service({ docTags: ['b', 'a', 'b'], repositories: ['x'] }).resolve(undefined, NOW),
    ).toMatchObject({
      docTags: ['a', 'b'],
      repositories: ['x'],
    });
  });

  it('narrows by the request', async () => {
    expect(await service({ docTags: ['a', 'b'] }).resolve({ doc_tags: ['b'] }, NOW)).toMatchObject({
      docTags: ['b'],
    });
  });

  it('refuses a request beyond the configuration', async () => {
    await expect(service({ docTags: ['a'] }).resolve({ doc_tags: ['b'] }, NOW)).rejects.toMatchObject({
      code: 'SCOPE_VIOLATION',
    });
  });

  it.each([
    ['project', { project: 'other' }],
    ['environment', { environment: 'dev' }],
  ])('refuses an index of another %s', async (_, config) => {
    await expect(service(config).resolve(undefined, NOW)).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'index_incompatible',
    });
  });

  it('reads the project of the index at most once a second', async () => {
    const index = new FixedIndex([]);
    const stamp = jest.spyOn(index, 'stamp');
    const scopes = new ScopeService(index, new ScopeConfig());
    for (const after of [0, 999]) await scopes.resolve(undefined, NOW + after);
    expect(stamp).toHaveBeenCalledTimes(1);
    await scopes.resolve(undefined, NOW + 1_000);
    expect(stamp).toHaveBeenCalledTimes(2);
  });
});

describe('beforeDocuments', () => {
  const failingWith = (reason: string, config: Partial<ScopeConfig>) => {
    const index = new FixedIndex([]);
    jest.spyOn(index, 'stamp').mockRejectedValue(new BackendUnavailableError('No.', { reason, hint: '' }));
    return new ScopeService(index, Object.assign(new ScopeConfig(), config)).beforeDocuments(NOW);
  };

  it('is the configured scope, with the project of the index if there is an index', async () => {
    expect(await service({ docTags: ['a'] }).beforeDocuments(NOW)).toEqual({
      projectId: 'docs',
      environment: 'prod',
      docTags: ['a'],
      repositories: null,
    });
  });

  it('is the configured scope while the index is too slow', async () => {
    const index = new FixedIndex([]);
    const late = new DeadlineExceededError('Late.', { reason: 'qdrant', hint: '' });
    jest.spyOn(index, 'stamp').mockRejectedValue(late);
    const config = Object.assign(new ScopeConfig(), { project: 'docs' });
    expect(await new ScopeService(index, config).beforeDocuments(NOW)).toMatchObject({ projectId: 'docs' });
  });

  it.each([['index_missing'], ['index_incompatible'], ['sqlite']])(
    'is the configured scope while no documents can be read: %s',
    async (reason) => {
      expect(await failingWith(reason, { project: 'mine', docTags: ['a'] })).toEqual({
        projectId: 'mine',
        environment: '',
        docTags: ['a'],
        repositories: null,
      });
    },
  );

  it('has no project if none is configured and there is no index', async () => {
    expect(await failingWith('index_missing', {})).toMatchObject({ projectId: '', environment: '' });
  });

  it('is refused if the index belongs to another project', async () => {
    await expect(service({ project: 'other' }).beforeDocuments(NOW)).rejects.toMatchObject({
      reason: 'index_incompatible',
    });
  });
});

describe('the limit of a caller', () => {
  const limit = { doc_tags: ['b', 'c'] };

  it('narrows every scope, and requests narrow it further', async () => {
    const scopes = service({ docTags: ['a', 'b'] });
    expect(await scopes.resolve(undefined, NOW, limit)).toMatchObject({ docTags: ['b'] });
    expect(await scopes.beforeDocuments(NOW, limit)).toMatchObject({ docTags: ['b'] });
    expect(await scopes.forLists(NOW, limit)).toMatchObject({ docTags: ['b'] });
    await expect(scopes.resolve({ doc_tags: ['a'] }, NOW, limit)).rejects.toMatchObject({
      code: 'SCOPE_VIOLATION',
      reason: 'doc_tags_mismatch',
    });
  });

  it('refuses calls that may see nothing of the server, and leaves lists empty', async () => {
    const scopes = service({ docTags: ['a'] });
    await expect(scopes.resolve(undefined, NOW, limit)).rejects.toMatchObject({ code: 'SCOPE_VIOLATION' });
    expect(await scopes.forLists(NOW, limit)).toMatchObject({ docTags: [], repositories: [] });
  });
});

describe('groups', () => {
  it('of a caller are kept in records while the index was never read', async () => {
    const index = new FixedIndex([]);
    jest
      .spyOn(index, 'stamp')
      .mockRejectedValue(new BackendUnavailableError('No.', { reason: 'qdrant', hint: '' }));
    const scopes = new ScopeService(index, new ScopeConfig());
    expect(await scopes.beforeDocuments(NOW, { groups: ['hr'] })).toMatchObject({ groups: ['hr'] });
  });

  const limited = () => {
    const index = new FixedIndex([], { groups: ['[["hr"]]'] });
    return { index, scopes: new ScopeService(index, new ScopeConfig()) };
  };

  it('are none for a caller without groups if documents have groups', async () => {
    const { scopes } = limited();
    expect(await scopes.resolve(undefined, NOW)).toMatchObject({ groups: [] });
    expect(await scopes.beforeDocuments(NOW)).toMatchObject({ groups: [] });
  });

  it('are those of the documents that were last read while the index cannot be read', async () => {
    const { index, scopes } = limited();
    await scopes.resolve(undefined, NOW);
    const lost = new BackendUnavailableError('No.', { reason: 'sqlite', hint: '' });
    jest.spyOn(index, 'stamp').mockRejectedValue(lost);
    expect(await scopes.beforeDocuments(NOW + 5_000)).toMatchObject({ groups: [] });
    expect(await scopes.beforeDocuments(NOW + 5_000, { groups: ['hr', 'eng'] })).toMatchObject({
      groups: ['hr'],
    });
  });
});

describe('untrusted', () => {
  it('names the repositories that the index does not trust', async () => {
    const index = new FixedIndex([], { untrusted: ['forum'] });
    expect(await new ScopeService(index, new ScopeConfig()).untrusted(NOW)).toEqual(new Set(['forum']));
  });

  it('is empty while the index cannot be read', async () => {
    const index = new FixedIndex([]);
    jest
      .spyOn(index, 'stamp')
      .mockRejectedValue(new BackendUnavailableError('No.', { reason: 'sqlite', hint: '' }));
    expect(await new ScopeService(index, new ScopeConfig()).untrusted(NOW)).toEqual(new Set());
  });
});

describe('forOperators', () => {
  it('is the configured scope, also if the index belongs to another project', async () => {
    expect(await service({ project: 'mine', docTags: ['a'] }).forOperators(NOW)).toEqual({
      groups: null,
      projectId: 'mine',
      environment: 'prod',
      docTags: ['a'],
      repositories: null,
    });
  });
});

describe('forLists', () => {
  it('is an error if the index belongs to another project', async () => {
    await expect(service({ project: 'other' }).forLists(NOW, {})).rejects.toMatchObject({
      reason: 'index_incompatible',
    });
  });

  it('is an error if the index cannot be read, even if it could be read a moment later', async () => {
    const index = new FixedIndex([]);
    const lost = new BackendUnavailableError('No.', { reason: 'sqlite', hint: '' });
    jest.spyOn(index, 'stamp').mockRejectedValueOnce(lost);
    await expect(new ScopeService(index, new ScopeConfig()).forLists(NOW, {})).rejects.toBe(lost);
  });
});
