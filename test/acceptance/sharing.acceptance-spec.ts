import { testFolder } from '../support/build-index.js';
import { randomFrom } from '../support/corpora.js';
import {
  documentsOf,
  markerOf,
  markersIn,
  SECTIONS_PER_DOCUMENT,
  writeGeneration,
} from '../support/marked-corpus.js';
import { type CallResult, connectClient, type Era, type TestClient } from '../support/mcp-clients.js';
import { type PithRun, runPith } from '../support/run-pith.js';

const SHARED_MS = 60_000;
/** A slow machine takes more than a minute for this number of index runs. */
const MIN_RUNS = 11;
const SERVERS: readonly Era[] = ['v1', 'v2', 'v1', 'v2'];
const QUESTIONS = [
  'When does the kestrel valve close?',
  'lantern valve pressure',
  'What closes after step 3?',
];
const PARTS = ['kestrel valve', 'harbour valve', 'granite valve', 'willow valve'];

interface Hit {
  readonly passage_id: string;
  readonly scratch_uri: string;
}

/** What one of the servers did in the shared minute. */
interface Shift {
  readonly calls: Record<string, number>;
  /** Errors that nobody should see. */
  readonly errors: string[];
  /** Answers that hold more than one generation, or counts that fit none. */
  readonly mixed: string[];
  readonly markers: Set<string>;
  stale: number;
}

const folder = testFolder();
const corpus = folder.file('corpus');
const index = folder.file('index.sqlite');
const shifts: Shift[] = SERVERS.map(() => ({
  calls: {},
  errors: [],
  mixed: [],
  markers: new Set<string>(),
  stale: 0,
}));
const runs: PithRun[] = [];
let lastGeneration = 0;
let clients: TestClient[] = [];

function structured(result: CallResult): Record<string, unknown> {
  return result.structuredContent ?? {};
}

function reasonOf(result: CallResult): string {
  const { error } = structured(result) as { error?: { code: string; details: { reason: string } } };
  return error ? `${error.code} ${error.details.reason}` : '';
}

/** One user of one server: makes mixed calls until told to stop. */
class Visitor {
  constructor(
    private readonly client: TestClient,
    private readonly shift: Shift,
    private readonly random: () => number,
  ) {}

  async work(isOver: () => boolean): Promise<void> {
    const tasks = [this.page, this.retrieve, this.retrieveParts, this.excerpts, this.extract, this.describe];
    while (!isOver()) {
      const task = tasks[Math.floor(this.random() * tasks.length)];
      await task?.call(this);
    }
  }

  private async call(
    name: string,
    args: Record<string, unknown> = {},
  ): Promise<Record<string, unknown> | null> {
    const { shift } = this;
    shift.calls[name] = (shift.calls[name] ?? 0) + 1;
    const result = await this.client.call(name, args).catch((error: unknown) => error);
    if (result instanceof Error) {
      shift.errors.push(`${name}: ${result.message}`);
      return null;
    }
    const answer = result as CallResult;
    const reason = reasonOf(answer);
    if (reason === 'INVALID_ARGUMENT cursor_stale') shift.stale++;
    else if (answer.isError) shift.errors.push(`${name}: ${reason}`);
    if (answer.isError) return null;
    this.expectOneGeneration(name, JSON.stringify(answer));
    return structured(answer);
  }

  private expectOneGeneration(what: string, text: string): void {
    const markers = markersIn(text);
    markers.forEach((marker) => this.shift.markers.add(marker));
    if (markers.length > 1) this.shift.mixed.push(`${what}: ${markers.join(' ')}`);
  }

  private async search(
    args: Record<string, unknown>,
  ): Promise<{ hits: readonly Hit[]; cursor: unknown } | null> {
    const output = await this.call('kb.search', args);
    return output && { hits: output['results'] as readonly Hit[], cursor: output['next_cursor'] };
  }

  private question(): string {
    return QUESTIONS[Math.floor(this.random() * QUESTIONS.length)] ?? '';
  }

  /** All pages of one list are of one generation, or the cursor is stale. */
  private async page(): Promise<void> {
    const query = { query: this.question(), top_k: 20, page_size: 5 };
    const pages: unknown[] = [];
    let cursor: unknown = null;
    do {
      const page = await this.search({ ...query, cursor });
      if (!page) return;
      if (page.hits.length !== 5) this.shift.mixed.push(`a page of ${page.hits.length}`);
      pages.push(page.hits);
      ({ cursor } = page);
    } while (cursor !== null);
    if (pages.length !== 4) this.shift.mixed.push(`${pages.length} pages`);
    this.expectOneGeneration('all pages', JSON.stringify(pages));
  }

  private async retrieve(): Promise<void> {
    const output = await this.call('kb.retrieve_evidence', { question: this.question(), max_quotes: 6 });
    if (output && (output['quotes'] as unknown[]).length !== 6) this.shift.mixed.push('quotes are missing');
  }

  private async retrieveParts(): Promise<void> {
    const args = { question: 'How do the valves close?', parts: PARTS, max_quotes: 8 };
    const output = await this.call('kb.retrieve_evidence', args);
    if (output && (output['quotes'] as unknown[]).length !== 8) this.shift.mixed.push('quotes are missing');
  }

  private async excerpts(): Promise<void> {
    const page = await this.search({ query: this.question() });
    for (const { passage_id, scratch_uri } of page?.hits.slice(0, 2) ?? []) {
      await this.call('kb.read_excerpt', { passage_id, max_tokens: 200 });
      await this.call('kb.expand_excerpt', { passage_id });
      await this.readResource(scratch_uri);
    }
  }

  private async readResource(uri: string): Promise<void> {
    const { shift } = this;
    shift.calls['resources/read'] = (shift.calls['resources/read'] ?? 0) + 1;
    try {
      const { contents } = await this.client.readResource(uri);
      this.expectOneGeneration('resource', JSON.stringify(contents));
    } catch (error) {
      shift.errors.push(`resources/read: ${String(error)}`);
    }
  }

  private async extract(): Promise<void> {
    const page = await this.search({ query: this.question() });
    if (!page) return;
    const passage_ids = page.hits.map(({ passage_id }) => passage_id);
    await this.call('kb.extract_evidence', { question: this.question(), passage_ids });
  }

  private async describe(): Promise<void> {
    const output = await this.call('scope.describe');
    if (!output) return;
    const { documents, sections } = output as { documents: number; sections: number };
    const isWhole = documents * SECTIONS_PER_DOCUMENT === sections && documents >= documentsOf(0);
    if (!isWhole) this.shift.mixed.push(`scope.describe: ${documents} documents, ${sections} sections`);
  }
}

/** Changes every document and indexes the folder again, over and over. */
async function keepIndexing(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    writeGeneration(corpus, lastGeneration + 1);
    runs.push(await runPith(['index', corpus, '--index', index]));
    lastGeneration++;
  }
}

describe('four stdio servers and one re-indexing process share an index for a minute', () => {
  beforeAll(async () => {
    writeGeneration(corpus, 0);
    await runPith(['index', corpus, '--index', index]);
    const env = { PITH_RATE_PER_MINUTE: '0' };
    clients = await Promise.all(SERVERS.map((era) => connectClient({ era, transport: 'stdio', index, env })));
    await Promise.all(clients.map((client) => client.listTools()));
    const until = Date.now() + SHARED_MS;
    const isOver = (): boolean => Date.now() >= until && runs.length >= MIN_RUNS;
    const visitors = clients.map((client, i) => {
      const shift = shifts[i] ?? { calls: {}, errors: [], mixed: [], markers: new Set<string>(), stale: 0 };
      return new Visitor(client, shift, randomFrom(i + 1));
    });
    await Promise.all([keepIndexing(isOver), ...visitors.map((visitor) => visitor.work(isOver))]);
    const counts = shifts.map(({ calls, stale, markers }) => ({
      ...calls,
      stale,
      generations: markers.size,
    }));
    console.log(`${runs.length} index runs`, counts);
  }, 4 * SHARED_MS);

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    folder.remove();
  });

  it('makes calls of every kind on every server', () => {
    const kinds = shifts.map(({ calls }) => Object.keys(calls).sort());
    const all = [
      'kb.expand_excerpt',
      'kb.extract_evidence',
      'kb.read_excerpt',
      'kb.retrieve_evidence',
      'kb.search',
      'resources/read',
      'scope.describe',
    ];
    expect(kinds).toEqual(shifts.map(() => all));
  });

  it('publishes every run', () => {
    expect(runs.filter(({ code }) => code !== 0).map(({ stderr }) => stderr)).toEqual([]);
    expect(runs.length).toBeGreaterThanOrEqual(MIN_RUNS);
  });

  it('answers without an error, but for stale cursors', () => {
    expect(shifts.flatMap(({ errors }) => errors).slice(0, 5)).toEqual([]);
  });

  it('never mixes two generations in one answer, nor leaves half of one out', () => {
    expect(shifts.flatMap(({ mixed }) => mixed).slice(0, 5)).toEqual([]);
  });

  it('picks new generations up as they come', () => {
    const seen = shifts.map(({ markers }) => markers.size);
    expect(Math.min(...seen)).toBeGreaterThan(runs.length / 2);
  });

  it('ends with all servers on the last generation', async () => {
    const answers = await Promise.all(
      clients.map((client) => client.call('kb.search', { query: 'kestrel' })),
    );
    const markers = answers.map((answer) => markersIn(JSON.stringify(answer)));
    expect(markers).toEqual(clients.map(() => [markerOf(lastGeneration)]));
  });
});
