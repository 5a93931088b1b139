import { EvidenceConfig } from '../../../src/config/settings/evidence.config.js';
import { EvidenceService } from '../../../src/kb/evidence/evidence.service.js';
import { SearchService } from '../../../src/kb/search/search.service.js';
import { retrieveEvidenceTool } from '../../../src/kb/tools/retrieve-evidence.tool.js';
import { searchTool } from '../../../src/kb/tools/search.tool.js';
import { PassageNaming } from '../../../src/scratch/passages.service.js';
import { SearchDocsService } from '../../../src/search-docs/search-docs.service.js';
import { anIndex, type TestIndex } from '../../support/an-index.js';
import { aCall, SECRET } from '../../support/builders.js';
import { somePassages } from '../../support/some-passages.js';

let docs: TestIndex;
beforeAll(async () => {
  docs = await anIndex({
    'open/lock.md': '# Locks\n\nThe sluicegate drains a chamber.\n',
    'secret/lock.md': '# Plans\n\nA sluiceguard watches the sluicegates.\n',
    'open/boat.md': '# Boats\n\nA barge waits at the quay.\n',
  });
});
afterAll(() => docs.remove());

const SCOPE = { projectId: 'docs', environment: 'prod' };
const OPEN = { ...SCOPE, docTags: ['open'] };
const sources = () => ({ index: docs.index, graph: null });
const naming = new PassageNaming(SECRET, 'wekadocs');

async function search(query: string, scope = SCOPE) {
  const service = new SearchService(sources(), somePassages(), naming);
  return (await service.search(aCall({ scope }), searchTool.input.parse({ query }))).output.hint;
}
async function searchDocs(query: string, scope = SCOPE) {
  const service = new SearchDocsService(sources(), naming);
  return (await service.search(aCall({ scope }), { query, limit: 5 })).output.hint?.message;
}
async function retrieve(question: string, scope = SCOPE) {
  const service = new EvidenceService(sources(), somePassages(), new EvidenceConfig(), null);
  return (await service.retrieve(aCall({ scope }), retrieveEvidenceTool.input.parse({ question }))).output
    .hint;
}

describe.each([
  ['kb.search', search],
  ['search_docs', searchDocs],
  ['kb.retrieve_evidence', retrieve],
])('the hint of %s', (_, ask) => {
  it('offers the nearest words if no section contains a word of the question', async () => {
    expect(await ask('sluicery')).toContain(' Nearest words in the documents: "sluicegate", "sluiceguard".');
  });

  it('offers no word of a section that the caller may not see', async () => {
    const hint = await ask('sluicery', OPEN);
    expect(hint).toContain(' Nearest words in the documents: "sluicegate".');
    expect(hint).not.toContain('sluiceguard');
  });

  it.each([['barge sluicery'], ['barge'], ['xylophone']])('offers no words for %s', async (text) => {
    expect((await ask(text)) ?? '').not.toContain('Nearest words');
  });
});

describe.each([
  ['kb.search', search],
  ['kb.retrieve_evidence', retrieve],
])('the hint of %s for a word beside words that are found', (_, ask) => {
  it('offers the word of which it may be a slip', async () => {
    expect(await ask('barge wattches')).toContain('Nearest words in the documents: "watches".');
  });

  it('offers no word of a section that the caller may not see', async () => {
    expect((await ask('barge wattches', OPEN)) ?? '').not.toContain('Nearest words');
  });

  it.each([['barge watcher'], ['barge match'], ['barge chambered'], ['barge watch']])(
    'offers no words for %s',
    async (text) => {
      expect((await ask(text)) ?? '').not.toContain('Nearest words');
    },
  );
});
