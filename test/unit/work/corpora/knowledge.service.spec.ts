import type { ServerSecret } from '../../../../src/config/server-secret.js';
import { BackendUnavailableError } from '../../../../src/core/errors.js';
import type { EvidenceService } from '../../../../src/kb/evidence/evidence.service.js';
import type { CorpusIndexes } from '../../../../src/work/corpora/corpus-indexes.js';
import { corpusExists, CorpusStore } from '../../../../src/work/corpora/corpus-store.js';
import type { SourceService } from '../../../../src/work/corpora/indexing/source.service.js';
import { queryKbInput } from '../../../../src/work/corpora/knowledge.schemas.js';
import { CreateKbService, KnowledgeService } from '../../../../src/work/corpora/knowledge.service.js';
import { openWorkFile } from '../../../../src/work/work-databases.js';
import { UNKNOWN_SHA256 } from '../../../support/a-substrate.js';
import { aCall } from '../../../support/builders.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
const database = openWorkFile(folder.file('work.sqlite'));
const store = new CorpusStore(database);
afterAll(async () => {
  await database.close();
  folder.remove();
});

const FOLDER = { kind: 'folder', path: '/srv/birds' } as const;
const input = { name: 'birds', source: { folder: FOLDER.path }, description: '', replace: true };

/** Builds nothing; keeps what is removed. */
function building() {
  const removed: string[] = [];
  const indexes = {
    sweep: async () => undefined,
    build: async () => ({ documents: 3, sections: 7, seconds: 1, skipped: [], remarks: [] }),
    share: async () => undefined,
    remove: async (id: string) => void removed.push(id),
  };
  const sources = {
    choose: async () => FOLDER,
    withFolder: (_call: unknown, _source: unknown, use: (folder: string) => unknown) => use(FOLDER.path),
  };
  // The parts that a build uses.
  const parts = [indexes as unknown as CorpusIndexes, sources as unknown as SourceService] as const;
  const create = () => new CreateKbService(store, ...parts).create(aCall(), input, () => undefined);
  return { create, removed };
}

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

  afterEach(() => jest.restoreAllMocks());

  it('keeps its index and the one it replaces if it is unknown whether its name was stored', async () => {
    const lost = new BackendUnavailableError("PostgreSQL can't be reached.", {
      reason: 'postgres',
      hint: '',
    });
    jest.spyOn(store, 'put').mockRejectedValue(lost);
    const { create, removed } = building();
    await expect(create()).rejects.toBe(lost);
    expect(removed).toEqual([]);
  });

  it('is removed if another one took its name meanwhile', async () => {
    jest.spyOn(store, 'put').mockRejectedValue(corpusExists('birds'));
    const { create, removed } = building();
    await expect(create()).rejects.toMatchObject({ reason: 'corpus_exists' });
    expect(removed).toHaveLength(1);
  });

  it.each([{ folder: '/srv/birds' }, { manifest_sha256: UNKNOWN_SHA256 }])(
    'is not built from %j for a caller who may see only some documents, because it contains all',
    async (source) => {
      const service = new CreateKbService(store, {} as CorpusIndexes, {} as SourceService);
      const limited = aCall({ scope: { docTags: ['guides'] } });
      await expect(service.check(limited, { ...input, source })).rejects.toMatchObject({
        reason: 'documents_limited',
        message: 'You may see only some of the documents, and a corpus contains all documents of its source.',
      });
    },
  );
});
