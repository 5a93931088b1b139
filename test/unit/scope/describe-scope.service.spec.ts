import { DescribeScopeService } from '../../../src/scope/describe-scope.service.js';
import { aCall } from '../../support/builders.js';
import { anIndex } from '../../support/an-index.js';
import type { TestIndex } from '../../support/an-index.js';

const SCOPE = { projectId: 'docs', environment: 'prod' };
let docs: TestIndex;
beforeAll(async () => {
  docs = await anIndex({
    'guides/disk.md': '# Disks\n\nA disk.\n\n## Mount\n\nMount it.\n',
    'secret/plan.md': '---\nrepository: vault\n---\nThe plan.\n',
  });
});
afterAll(() => docs.remove());

const describeScope = async (scope = {}) =>
  (await new DescribeScopeService(docs.index).describe(aCall({ scope: { ...SCOPE, ...scope } }))).output;

describe('describe', () => {
  it('counts what can be seen, most sections first', async () => {
    expect(await describeScope()).toEqual({
      project_id: 'docs',
      environment: 'prod',
      doc_tags: [
        { name: 'guides', documents: 1, sections: 2 },
        { name: 'secret', documents: 1, sections: 1 },
      ],
      repositories: [
        { name: 'docs', documents: 1, sections: 2 },
        { name: 'vault', documents: 1, sections: 1 },
      ],
      documents: 2,
      sections: 3,
      indexed_at: expect.stringMatching(/^\d{4}-.*Z$/),
      index_bytes: expect.any(Number),
      engines: expect.any(Array),
      partial: false,
      limit_reason: 'none',
    });
  });

  it.each([{ docTags: ['guides'] }, { repositories: ['docs'] }])(
    'counts and names nothing outside %j',
    async (scope) => {
      expect(await describeScope(scope)).toMatchObject({
        doc_tags: [{ name: 'guides' }],
        repositories: [{ name: 'docs' }],
        documents: 1,
        sections: 2,
      });
    },
  );
});
