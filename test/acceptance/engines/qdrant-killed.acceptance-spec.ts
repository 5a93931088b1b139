import { aConnection, aReader, publishTo } from '../../contract/qdrant-subjects.js';
import { describeEngines } from '../../support/engine.js';
import { anIndexedDocument, EVERYTHING } from '../../support/indexed-documents.js';
import { type QdrantStandIn, startQdrantStandIn } from '../../support/qdrant-stand-in.js';
import { testFolder } from '../../support/test-folder.js';

describeEngines(['qdrant'], 'a Qdrant that is killed between two changes of aliases', () => {
  const folder = testFolder();
  let qdrant: QdrantStandIn;

  beforeAll(async () => {
    qdrant = await startQdrantStandIn({ QDRANT_SHIM_CUT_ALIASES: '1' });
  });
  afterAll(async () => {
    await qdrant.stop();
    folder.remove();
  });

  it('still has an index for every reader', async () => {
    const connection = aConnection(qdrant.url);
    const publish = (text: string): Promise<unknown> => {
      const document = anIndexedDocument({ path: 'a.md', texts: [text], hash: text });
      // The run fails because the server has gone, and is repeated.
      return expect(
        publishTo(connection, { file: folder.file('index.sqlite') }, [document]),
      ).rejects.toMatchObject({ reason: 'qdrant' });
    };
    for (const text of ['A kestrel.', 'An owl.', 'A heron.']) {
      await publish(text);
      const { sections } = await aReader(connection).sections(EVERYTHING, ['a.md']);
      expect(sections.map(({ section }) => section.text)).toEqual([text]);
    }
  });
});
