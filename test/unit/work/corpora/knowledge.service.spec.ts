import type { ServerSecret } from '../../../../src/config/server-secret.js';
import type { EvidenceService } from '../../../../src/kb/evidence/evidence.service.js';
import type { CorpusIndexes } from '../../../../src/work/corpora/corpus-indexes.js';
import { CorpusStore } from '../../../../src/work/corpora/corpus-store.js';
import type { SourceService } from '../../../../src/work/corpora/indexing/source.service.js';
import { queryKbInput } from '../../../../src/work/corpora/knowledge.schemas.js';
import { CreateKbService, KnowledgeService } from '../../../../src/work/corpora/knowledge.service.js';
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
  it('is neither listed for nor answers a caller who sees only documents of some groups', async () => {
    const parts = [store, {} as CorpusIndexes, {} as EvidenceService, {} as ServerSecret] as const;
    const service = new KnowledgeService(...parts);
    const limited = aCall({ scope: { groups: ['hr'] } });
    const refused = { code: 'SCOPE_VIOLATION', reason: 'documents_limited' };
    await expect(service.list(limited, { limit: 10 })).rejects.toMatchObject(refused);
    const question = queryKbInput.parse({ name: 'birds', question: 'What do they eat?' });
    await expect(service.query(limited, question)).rejects.toMatchObject(refused);
  });

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
