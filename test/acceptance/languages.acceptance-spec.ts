import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { goldenLineSchema } from '../../src/cli/eval/sets/golden-set.js';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { pithIndex } from '../support/processes.js';
import { openSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

const DOCS = join(PACKAGE_ROOT, 'fixtures', 'languages');
const GOLDEN = join(PACKAGE_ROOT, 'fixtures', 'golden', 'languages.jsonl');
type GoldenLine = z.output<typeof goldenLineSchema>;
const LANGUAGES = ['de', 'fr', 'es', 'ru', 'zh', 'ja'];

const folder = testFolder();
const index = folder.file('index.sqlite');
const golden = readFileSync(GOLDEN, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => goldenLineSchema.parse(JSON.parse(line)));

// Line breaks in pages are ignored.
const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

let site: Site;

beforeAll(async () => {
  await pithIndex(DOCS, index);
  site = await openSite(index, { transports: [['v2', 'stdio']] });
}, 60_000);

afterAll(() => site?.stop());

interface Reply {
  readonly answerable: string;
  readonly quotes: readonly { readonly quote: string }[];
}

async function ask({ question }: GoldenLine): Promise<Reply> {
  const { structuredContent } = await site.client('v2', 'stdio').call('kb.retrieve_evidence', { question });
  return structuredContent as unknown as Reply;
}

const answers = ({ quotes }: Reply, { answers: expected }: GoldenLine): boolean =>
  expected.some(({ quote: wanted }) => quotes.some(({ quote }) => oneLine(quote).includes(oneLine(wanted))));

describe('the golden set of six languages', () => {
  it('has ten questions with an answer and two without in each language', () => {
    const counts = LANGUAGES.map((language) => {
      const lines = golden.filter(({ id }) => id.startsWith(`${language}-`));
      return [lines.filter(({ answerable }) => answerable).length, lines.length];
    });
    expect(counts).toEqual(LANGUAGES.map(() => [10, 12]));
  });

  it('contains only quotes of the pages', () => {
    const stale = golden.filter(({ answers: expected }) =>
      expected.some(({ path, quote }) => {
        const page = readFileSync(join(DOCS, path), 'utf8');
        return !oneLine(page).includes(oneLine(quote));
      }),
    );
    expect(stale).toEqual([]);
  });
});

describe('questions in six languages about pages in these languages', () => {
  let replies: readonly { readonly line: GoldenLine; readonly reply: Reply }[];

  beforeAll(async () => {
    const asked: { line: GoldenLine; reply: Reply }[] = [];
    for (const line of golden) asked.push({ line, reply: await ask(line) });
    replies = asked;
  }, 60_000);

  it.each(LANGUAGES)('are answered in nine cases of ten in %s', (language) => {
    const asked = replies.filter(({ line }) => line.answerable && line.id.startsWith(`${language}-`));
    const missed = asked.filter(({ line, reply }) => !answers(reply, line)).map(({ line }) => line.question);
    expect(missed.length > 1 ? missed : []).toEqual([]);
  });

  it('are called unlikely in one case of sixty at most if they have an answer', () => {
    const refused = replies.filter(({ line, reply }) => line.answerable && reply.answerable === 'unlikely');
    expect(refused.length > 1 ? refused.map(({ line }) => line.question) : []).toEqual([]);
  });

  it('are called likely in four cases of twelve at most if they have no answer', () => {
    const promised = replies.filter(({ line, reply }) => !line.answerable && reply.answerable === 'likely');
    expect(promised.length > 4 ? promised.map(({ line }) => line.question) : []).toEqual([]);
  });
});
