import { ScopeConfig } from '../../../src/config/scope.config.js';
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
  ])('does not answer from an index of another %s', async (_, config) => {
    await expect(service(config).resolve(undefined, NOW)).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'index_incompatible',
    });
  });

  it('asks the index once in a second whose it is', async () => {
    const index = new FixedIndex([]);
    const stamp = jest.spyOn(index, 'stamp');
    const scopes = new ScopeService(index, new ScopeConfig());
    for (const after of [0, 999, 1_000, 1_999]) await scopes.resolve(undefined, NOW + after);
    expect(stamp).toHaveBeenCalledTimes(2);
  });
});
