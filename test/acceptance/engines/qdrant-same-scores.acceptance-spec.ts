import type { SearchAnswer } from '../../../src/core/ports/section-index.port.js';
import { embedderNamed } from '../../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../../src/sqlite/reader-ports.js';
import { aConnection, aReader, publishTo } from '../../contract/qdrant-subjects.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { anIndexedDocument, aQuery } from '../../support/indexed-documents.js';
import { testFolder } from '../../support/test-folder.js';

const WORDS = [
  'harbour',
  'meadow',
  'lantern',
  'river',
  'stone',
  'wind',
  'nest',
  'owl',
  'heron',
  'vole',
  'reed',
];

/** 240 sections, some with equal scores; their average length is about 114 terms, rounded to 110. */
const DOCUMENTS = Array.from({ length: 240 }, (_, i) => {
  const length = 40 + ((i * 53) % 140);
  const filler = Array.from({ length }, (__, j) => `filler${(i * 131 + j * 7) % 3_001}`);
  const words = [0, 1, 2].map((k) => `${WORDS[(i * (k + 1) + k * k) % WORDS.length]}`);
  return anIndexedDocument({
    path: `d${(i * 37) % 240}.md`,
    texts: [`${words.join(' ')} ${filler.join(' ')} kestrel.`],
    hash: `${i}`,
  });
});

const rankedIn = ({ candidates }: SearchAnswer): unknown[] =>
  candidates.map(({ section, score, lexical }) => ({ id: section.id, score, lexical }));

describeEngines(['qdrant'], 'an index file and Qdrant, filled from it', () => {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const sqlite = makePort('sections', new SqliteReader(file, embedderNamed('lsa')));
  const qdrant = aReader(aConnection(engineUrl('qdrant') ?? ''));

  beforeAll(() => publishTo(aConnection(engineUrl('qdrant') ?? ''), { file }, DOCUMENTS));
  afterAll(async () => {
    await sqlite.close();
    folder.remove();
  });

  it.each(['owl', 'heron river', 'a lantern in the wind', 'kestrel', 'nest of a vole in the reed'])(
    'give the same order, scores and tie-breaks: %s',
    async (text) => {
      const query = aQuery(text, { limit: 20 });
      const expected = rankedIn(await sqlite.search(query));
      expect(expected.length).toBeGreaterThan(8);
      expect(rankedIn(await qdrant.search(query))).toEqual(expected);
    },
  );
});
