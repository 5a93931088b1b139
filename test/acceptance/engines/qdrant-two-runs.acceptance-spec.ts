import { WritableCollection } from '../../../src/engines/qdrant/writing/writable-collection.js';
import { aConnection, aReader, publishTo } from '../../contract/qdrant-subjects.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { anIndexedDocument, EVERYTHING } from '../../support/indexed-documents.js';
import { ownProject } from '../../support/own-project.js';
import { testFolder } from '../../support/test-folder.js';

describeEngines(['qdrant'], 'two runs that fill one index in Qdrant', () => {
  const folder = testFolder();
  afterAll(() => folder.remove());

  it('detect each other, and readers see only the documents of one run', async () => {
    const projectId = ownProject('two-runs');
    const connection = aConnection(engineUrl('qdrant') ?? '');
    const publish = (path: string) =>
      publishTo(connection, { file: folder.file(`${path}.sqlite`), projectId }, [
        anIndexedDocument({ path }),
      ]);
    const overtaken = jest
      .spyOn(WritableCollection.prototype, 'remove')
      .mockImplementationOnce(() => publish('two.md').then(() => undefined));
    await expect(publish('one.md')).rejects.toMatchObject({ reason: 'index_busy' });
    overtaken.mockRestore();
    const { sections } = await aReader(connection, { projectId }).sections({ ...EVERYTHING, projectId }, [
      'one.md',
      'two.md',
    ]);
    expect(sections.map(({ document }) => document.path)).toEqual(['two.md']);
  });
});
