import type { CallResult, TestClient } from '../support/mcp-clients.js';
import { PLANTED, shownText, writePlantedCorpus } from '../support/planted-corpus.js';
import { passageUri } from '../support/quote-laws.js';
import { type PithRun, runPith } from '../support/run-pith.js';
import { openSite, type Site, TRANSPORTS } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const ENV = { ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'yes' };
let run: PithRun;
let site: Site;
/** The same without structured output. */
let plain: Site;
let client: TestClient;

beforeAll(async () => {
  writePlantedCorpus(folder.file('docs'));
  run = await runPith(['index', folder.file('docs'), '--index', index]);
  site = await openSite(index, { env: ENV });
  plain = await openSite(index, { env: { ...ENV, MCP_STRUCTURED_OUTPUT_ENABLED: 'false' } });
  client = site.client('v2', 'http');
}, 120_000);

afterAll(async () => {
  await Promise.all([site?.stop(), plain?.stop()]);
  folder.remove();
});

interface Quote {
  readonly quote: string;
  readonly passage_id: string;
  readonly start_char: number;
}

const contentOf = ({ content }: CallResult): string => content.map(({ text = '' }) => text).join('\n');
const quotesOf = ({ structuredContent }: CallResult): Quote[] =>
  (structuredContent?.['quotes'] ?? []) as Quote[];
const ask = (word: string, from = client): Promise<CallResult> =>
  from.call('kb.retrieve_evidence', { question: `What does the crane ${word} lift?`, keywords: [word] });

/** A block between marks; in JSON, line feeds are escaped. */
const BLOCK = /BEGIN UNTRUSTED DATA ([\w-]{12}) from vendor(?:\n|\\n)([^]*?)(?:\n|\\n)END UNTRUSTED DATA \1/g;
/** The mark of the reply, from the sentence that explains it. */
const markOf = (text: string): string => /between the marks ([\w-]{12}) is from/.exec(text)?.[1] ?? 'none';

/** What is wrong with the marks of a text, in which words like `alder7x` are untrusted. */
function forgeries(result: CallResult): string[] {
  const text = contentOf(result);
  const mark = markOf(text);
  const blocks = [...text.matchAll(BLOCK)].filter((block) => block[1] === mark);
  const outside = blocks.reduce((rest, [block]) => rest.replace(block, ''), text);
  const marks = text.split(mark).length - 1;
  return [
    ...(blocks.length === 0 ? ['no block'] : []),
    ...(marks === blocks.length * 2 + 1 ? [] : [`${marks} marks for ${blocks.length} blocks`]),
    ...(/alder\w+x/.test(outside) ? [`outside: ${outside}`] : []),
  ];
}

const INVISIBLE = /(?!\ufe0f|\u200d)\p{Default_Ignorable_Code_Point}/u;

describe('pith index', () => {
  it('indexes every planted document, and reports each with path, line and reason', () => {
    expect(run.code).toBe(0);
    expect(run.stdout).toContain(`${PLANTED.length + 3} documents`);
    const missing = PLANTED.filter(({ path }) => !new RegExp(`^  ${path}:\\d+: [a-z]`, 'm').test(run.stdout));
    expect(missing).toEqual([]);
    expect(run.stdout).not.toMatch(/^ {2}(?:ours|vendor\/liar)/m);
  });

  it('reports them again if nothing has changed', async () => {
    const again = await runPith(['index', folder.file('docs'), '--index', index]);
    expect(again.stdout).toContain(`${PLANTED.length} unchanged`.replace(/^\d+/, `${PLANTED.length + 3}`));
    expect(again.stdout).toContain('vendor/p0.md:5: tells assistants to ignore their instructions');
  });
});

describe('scope.describe', () => {
  it('counts the flagged documents and lists the first twenty, in our words', async () => {
    const { structuredContent, content } = await client.call('scope.describe');
    const flagged = structuredContent?.['flagged'] as { documents: number; first: unknown[] };
    expect(flagged.documents).toBe(PLANTED.length);
    expect(flagged.first).toHaveLength(20);
    expect(JSON.stringify(flagged)).not.toMatch(/alder\d|ANCHOR|evil/);
    expect(content[0]?.text).toContain(`hide characters: ${PLANTED.length}.`);
    expect(structuredContent?.['repositories']).toContainEqual(
      expect.objectContaining({ name: 'vendor', trusted: false }),
    );
  });

  it('says nothing of them to a caller that may not see them', async () => {
    const result = await client.call('scope.describe', { scope: { repositories: ['ours'] } });
    expect(JSON.stringify(result)).not.toMatch(/flagged|vendor|hide characters/);
  });
});

describe('quotes of untrusted documents', () => {
  it('are between marks that none of them forges, for every planted document', async () => {
    const broken: unknown[] = [];
    for (const { word } of PLANTED) {
      const result = await ask(word);
      const found = quotesOf(result).some(({ quote }) => quote.includes(word));
      if (!found || forgeries(result).length > 0) broken.push([word, found, forgeries(result)]);
      if (INVISIBLE.test(JSON.stringify(result))) broken.push([word, 'invisible']);
    }
    expect(broken).toEqual([]);
  }, 120_000);

  it('lose nothing but characters that nobody can see', async () => {
    const broken: unknown[] = [];
    for (const planted of PLANTED) {
      const { structuredContent } = await client.call('get_doc', { chunk_id: planted.path, context: 5 });
      const chunks = structuredContent?.['chunks'] as { text: string; heading: string | null }[];
      const text = chunks
        .map(({ text: own, heading }) => `${heading}\n${own}`)
        .join('\n')
        .replace(/\s+/g, ' ');
      const lost = shownText(planted).filter((part) => {
        const bare = part.replace(/\s+/g, ' ');
        return !text.includes(bare) && !text.includes(bare.replace(/^#+ /, ''));
      });
      if (lost.length > 0) broken.push([planted.path, lost, text]);
    }
    expect(broken).toEqual([]);
  }, 120_000);

  it.each(TRANSPORTS)('have the same marks for every client (%s, %s)', async (era, transport) => {
    const [one, two] = [await ask('alder5x'), await ask('alder5x', site.client(era, transport))];
    expect(markOf(contentOf(two))).toBe(markOf(contentOf(one)));
    expect(forgeries(two)).toEqual([]);
    expect(two._meta?.['pith/untrusted']).toEqual({ repositories: ['vendor'] });
  });

  it('are the slices of their passage that the offsets name', async () => {
    const hidden = PLANTED.slice(-12);
    const broken: unknown[] = [];
    for (const { word } of hidden) {
      const reply = await ask(word);
      for (const placed of quotesOf(reply)) {
        const uri = passageUri(reply.structuredContent ?? {}, placed);
        const text = (await client.readResource(uri)).contents[0]?.text ?? '';
        const passage = [...text.matchAll(BLOCK)][0]?.[2] ?? text;
        if (!passage.startsWith(placed.quote, placed.start_char)) broken.push([word, placed.quote, passage]);
      }
    }
    expect(broken).toEqual([]);
  }, 60_000);

  it('are marked although the document names a trusted repository', async () => {
    expect(forgeries(await ask('alderliarx'))).toEqual([]);
  });

  it('stand beside quotes of trusted documents, which have no marks', async () => {
    const args = {
      question: 'What is the crane alder5x, and the berth birch1x?',
      keywords: ['alder5x', 'birch1x'],
    };
    const result = await client.call('kb.retrieve_evidence', args);
    const outside = contentOf(result).replace(BLOCK, '');
    expect(outside).toContain('birch1x');
    expect(forgeries(result)).toEqual([]);
  });
});

describe('every tool that returns text of documents', () => {
  const id = 'vendor/p5.md';
  const word = 'alder5x';

  it.each<[string, Record<string, unknown>]>([
    ['kb.search', { query: word }],
    ['search_docs', { query: word }],
    ['get_doc', { chunk_id: id }],
    ['graph.describe', { node_ids: [id], include_snippet: true }],
    ['search_documentation', { query: 'crane that lifts forty tons', verbosity: 'full' }],
    ['get_section_text', { section_ids: [id] }],
    ['compute_context_bundle', { seeds: [id] }],
    ['search_sections', { query: 'crane that lifts forty tons' }],
    ['describe_nodes', { node_ids: [id] }],
    ['summarize_neighborhood', { node_ids: [id] }],
  ])('puts it between marks: %s', async (tool, args) => {
    for (const [era, transport] of TRANSPORTS) {
      const result = await site.client(era, transport).call(tool, args);
      expect(result.isError).toBeFalsy();
      expect([tool, forgeries(result)]).toEqual([tool, []]);
    }
  });

  it.each<[string, Record<string, unknown>]>([
    ['kb.search', { query: word }],
    ['kb.retrieve_evidence', { question: `What does the crane ${word} lift?`, keywords: [word] }],
    ['search_docs', { query: word }],
    ['graph.describe', { node_ids: [id], include_snippet: true }],
    ['search_sections', { query: 'crane that lifts forty tons' }],
  ])('puts it between marks without structured output: %s', async (tool, args) => {
    const result = await plain.client('v2', 'http').call(tool, args);
    expect(result.structuredContent).toBeUndefined();
    expect([tool, forgeries(result)]).toEqual([tool, []]);
  });

  it('puts passages between marks, whoever reads them', async () => {
    const reply = await ask(word);
    const [quote] = quotesOf(reply);
    const passage = { passage_id: quote?.passage_id ?? '' };
    const results = [
      await client.call('kb.read_excerpt', { ...passage, max_tokens: 16 }),
      await client.call('kb.expand_excerpt', passage),
      await client.call('kb.extract_evidence', {
        question: `crane ${word}`,
        passage_ids: [quote?.passage_id],
      }),
    ];
    expect(results.map(forgeries)).toEqual([[], [], []]);
    const scratch = await client.readResource(passageUri(reply.structuredContent ?? {}, passage));
    const page = await client.readResource(`docs:///${id}`);
    const texts = [scratch, page].map(({ contents }) => ({ type: 'text', text: contents[0]?.text ?? '' }));
    expect(texts.map((content) => forgeries({ content: [content] }))).toEqual([[], []]);
  });

  it('says that invisible characters were removed', async () => {
    const [hidden] = PLANTED.slice(-12);
    const result = await ask(hidden?.word ?? '');
    expect(contentOf(result)).toContain('Invisible characters were removed.');
    expect(JSON.stringify(result)).toContain(`Invisible characters were removed from: ${hidden?.path}.`);
  });

  it('changes nothing for trusted documents', async () => {
    const result = await ask('birch2x');
    expect(result.content).toHaveLength(1);
    expect(JSON.stringify(result)).not.toMatch(/untrusted|warnings":\["/i);
  });
});
