import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../src/sqlite/reader-ports.js';
import { ClassifyDocumentService } from '../../src/work/documents/classify-document.service.js';
import { DocumentSourceService } from '../../src/work/documents/document-source.service.js';
import { buildIndex } from '../support/build-index.js';
import { aCall } from '../support/builders.js';
import { copyShare, sharedData } from '../support/corpora.js';
import { DirectReader, NO_ARTIFACTS } from '../support/direct-reader.js';
import { testFolder } from '../support/test-folder.js';

/** One version of the reference: the folders are modules. */
const CORPUS = sharedData('corpora/powershell/7.5');
/** One of so many pages is indexed, to keep the test short. */
const SHARE = 3;

/** Every indexed page, classified by the other pages of one version of the reference; the value is its module, its folder. */
(CORPUS ? describe : describe.skip)('document.classify on the PowerShell reference', () => {
  const folder = testFolder();
  let index: SectionIndex;

  beforeAll(async () => {
    copyShare(CORPUS ?? '', folder.file('docs'), SHARE);
    await buildIndex(folder.file('docs'), folder.file('index.sqlite'));
    index = makePort('sections', new SqliteReader(folder.file('index.sqlite'), embedderNamed('lsa')));
  }, 300_000);

  afterAll(async () => {
    await index?.close();
    folder.remove();
  });

  it('names the module of a page more often than the largest module is right', async () => {
    const { projectId, environment } = await index.stamp();
    const call = aCall({ scope: { projectId, environment } });
    const reader = new DirectReader();
    const service = new ClassifyDocumentService(
      new DocumentSourceService(index, reader, NO_ARTIFACTS),
      index,
      reader,
    );
    const { documents } = await index.documents(call.scope, 0, 2_000);
    const counts = new Map<string, number>();
    for (const { docTag } of documents) counts.set(docTag, (counts.get(docTag) ?? 0) + 1);
    const [largest] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [''];
    let right = 0;
    for (const { path, docTag } of documents) {
      const { output } = await service.classify(call, { document: path, facets: ['doc_tag'], passages: 0 });
      if (output.labels[0]?.label === docTag) right++;
    }
    const accuracy = right / documents.length;
    const baseline = documents.filter(({ docTag }) => docTag === largest).length / documents.length;

    expect(accuracy).toBeGreaterThan(baseline + 0.2);
  }, 120_000);
});
