import { askedWordsContract } from '../../contract/asked-words.contract.js';
import { corpusContract } from '../../contract/corpus.contract.js';
import { explainedSearchContract } from '../../contract/explained-search.contract.js';
import { indexWriterContract } from '../../contract/index-writer.contract.js';
import { aModelledQdrant, aQdrantIndex, aQdrantPlace } from '../../contract/qdrant-subjects.js';
import { recallContract } from '../../contract/recall.contract.js';
import { sectionIndexContract } from '../../contract/section-index.contract.js';
import { vectorsContract } from '../../contract/vectors.contract.js';
import { describeEngines, engineUrl } from '../../support/engine.js';

describeEngines(['qdrant'], 'on Qdrant', () => {
  const url = engineUrl('qdrant') ?? '';

  for (const contract of [
    sectionIndexContract,
    explainedSearchContract,
    corpusContract,
    askedWordsContract,
    vectorsContract,
  ]) {
    contract('QdrantSectionIndex', () => aQdrantIndex(url));
  }

  recallContract('QdrantSectionIndex', () => aModelledQdrant(url));
  indexWriterContract('mirroredWriter', () => aQdrantPlace(url));
});
