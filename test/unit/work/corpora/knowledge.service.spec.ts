import type { CorpusIndexes } from '../../../../src/work/corpora/corpus-indexes.js';
import { CorpusStore } from '../../../../src/work/corpora/corpus-store.js';
import type { SourceService } from '../../../../src/work/corpora/indexing/source.service.js';
import { CreateKbService } from '../../../../src/work/corpora/knowledge.service.js';
import { UNKNOWN_SHA256 } from '../../../support/a-substrate.js';
import { aCall } from '../../../support/builders.js';
import { testFolder } from '../../../support/test-folder.js';
import { workFile } from '../../../support/work-stores.js';

const folder = testFolder();
const store = new CorpusStore(workFile(folder.file('work.sqlite')));
afterAll(async () => {
  await store.close();
  folder.remove();
});

describe('a corpus', () => {
  it.each([{ folder: '/srv/birds' }, { manifest_sha256: UNKNOWN_SHA256 }])(
    'is not built from %j for a caller who may see only some documents, because it contains all',
    async (source) => {
      const service = new CreateKbService(store, {} as CorpusIndexes, {} as SourceService);
      const limited = aCall({ scope: { docTags: ['guides'] } });
      const input = { name: 'birds', source, description: '', replace: false };
      await expect(service.check(limited, input)).rejects.toMatchObject({
        reason: 'documents_limited',
        message: 'You may see only some of the documents, and a corpus contains all documents of its source.',
      });
    },
  );
});
