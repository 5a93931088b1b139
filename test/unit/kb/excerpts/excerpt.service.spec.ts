import { LimitsConfig } from '../../../../src/config/settings/limits.config.js';
import {
  type ExpandExcerptInput,
  MAX_EXCERPT_TOKENS,
  type ReadExcerptInput,
} from '../../../../src/kb/excerpt.schemas.js';
import { ExcerptService } from '../../../../src/kb/excerpts/excerpt.service.js';
import { excerptText } from '../../../../src/kb/render-kb.js';
import { expandExcerptTool } from '../../../../src/kb/tools/expand-excerpt.tool.js';
import { readExcerptTool } from '../../../../src/kb/tools/read-excerpt.tool.js';
import { estimateTokens } from '../../../../src/text/estimate-tokens.js';
import type { Span } from '../../../../src/text/span.js';
import { aCall, aCandidate } from '../../../support/builders.js';
import { keepPassage, somePassages } from '../../../support/some-passages.js';

const SENTENCE = 'The keeper writes the name of every ship into the book. ';
const LONG = SENTENCE.repeat(100).trim();
const LETTERS = 'A. B. C. D. E. F. G. H. I. J. K. L. M. N. O. P. Q. R. S. T. U. V. W. X. Y. Z.';

async function reading(
  text: string,
  window: Span = { start: 0, end: 4 },
  limits: Partial<LimitsConfig> = {},
) {
  const passages = somePassages();
  const service = new ExcerptService(passages, Object.assign(new LimitsConfig(), limits));
  const candidate = aCandidate({ section: { text } });
  const { id: passage_id } = await keepPassage(passages, candidate, { window });
  return {
    passageId: passage_id,
    read: async (given: Partial<ReadExcerptInput> = {}) => {
      const input = readExcerptTool.input.parse({ passage_id, ...given });
      return (await service.read(aCall(), input)).output;
    },
    expand: async (given: Partial<ExpandExcerptInput> = {}) => {
      const input = expandExcerptTool.input.parse({ passage_id, ...given });
      return (await service.expand(aCall(), input)).output;
    },
  };
}

const BULLETS = { format: 'bullets', include_citation: true } as const;

describe('the reason why an excerpt was truncated', () => {
  const cutBy = async (limits: Partial<LimitsConfig>, maxTokens: number, text = LONG) => {
    const passages = somePassages();
    const service = new ExcerptService(passages, Object.assign(new LimitsConfig(), limits));
    const candidate = aCandidate({ section: { text } });
    const { id: passage_id } = await keepPassage(passages, candidate, { window: { start: 0, end: 4 } });
    const input = readExcerptTool.input.parse({ passage_id, max_tokens: maxTokens });
    const reply = await service.read(aCall(), input);
    return reply.cutBy?.(reply.output);
  };

  it.each([
    ['the requested number of tokens', {}, 50, LONG, 'token_cap'],
    ['the byte limit of the operator', { maxTextBytesPerCall: 80 }, 50, LONG, 'byte_cap'],
    ['nothing', {}, 50, SENTENCE, 'none'],
  ])('is %s', async (_, limits, maxTokens, text, reason) => {
    expect(await cutBy(limits, maxTokens, text)).toBe(reason);
  });
});

describe('read', () => {
  it('returns the fields of the contract and no others', async () => {
    const { read, passageId } = await reading('Use it.');
    expect(await read()).toEqual({
      passage_id: passageId,
      excerpt: 'Use it.',
      start_char: 0,
      end_char: 7,
      truncated: false,
      next_start_char: null,
      citation: {
        section_id: 'guide.md#use',
        doc_tag: 'guides',
        title: 'Guide > Use',
        uri: `wekadocs://scratch/session/${passageId}`,
      },
    });
  });

  it('omits the citation on request', async () => {
    const { read } = await reading('Use it.');
    expect(await read({ options: { format: 'text', include_citation: false } })).not.toHaveProperty(
      'citation',
    );
  });

  it.each([16, 300, 800])(
    'respects the limit of %i tokens and reports where to continue',
    async (maxTokens) => {
      const { read } = await reading(LONG);
      const excerpt = await read({ max_tokens: maxTokens });
      expect(estimateTokens(excerpt.excerpt)).toBeLessThanOrEqual(maxTokens);
      expect(excerpt).toMatchObject({ truncated: true, next_start_char: excerpt.end_char });
      expect(LONG.slice(0, excerpt.end_char)).toBe(excerpt.excerpt);
    },
  );

  it('respects MAX_TEXT_BYTES_PER_CALL', async () => {
    const { read } = await reading('漢字。'.repeat(500), undefined, { maxTextBytesPerCall: 256 });
    expect(Buffer.byteLength((await read({ max_tokens: 800 })).excerpt)).toBeLessThanOrEqual(256);
  });

  it('continues at next_start_char without gaps', async () => {
    const { read } = await reading(LONG);
    const first = await read({ max_tokens: 800 });
    const second = await read({ max_tokens: 800, start_char: first.next_start_char ?? 0 });
    expect(LONG.startsWith(first.excerpt + second.excerpt)).toBe(true);
  });

  it('begins with a whole character', async () => {
    const { read } = await reading('a😀b');
    expect(await read({ start_char: 2 })).toMatchObject({ excerpt: '😀b', start_char: 1 });
  });

  it('refuses a start after the end', async () => {
    const { read } = await reading('Use it.');
    await expect(read({ start_char: 7 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'start_char_past_end',
    });
  });

  it('refuses an unknown passage', async () => {
    const { read } = await reading('Use it.');
    await expect(read({ passage_id: 'unknown' })).rejects.toMatchObject({ reason: 'passage_not_found' });
  });

  it('returns one span per line as bullets', async () => {
    const { read } = await reading('One. Two\nlines.\n\n- Three.');
    expect((await read({ options: BULLETS })).excerpt).toBe('- One.\n- Two lines.\n- Three.');
  });

  it('respects the token limit with bullets', async () => {
    const { read } = await reading(LETTERS);
    const { excerpt } = await read({ options: BULLETS, max_tokens: 40 });
    expect(estimateTokens(excerpt)).toBeLessThanOrEqual(40);
  });

  it('respects the byte limit with bullets', async () => {
    const { read } = await reading(`${LETTERS} `.repeat(5), undefined, { maxTextBytesPerCall: 256 });
    const { excerpt } = await read({ options: BULLETS, max_tokens: 800 });
    expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(256);
  });

  it('continues at next_start_char without gaps, also with bullets', async () => {
    const { read } = await reading(LETTERS);
    const first = await read({ options: BULLETS, max_tokens: 60 });
    const second = await read({ options: BULLETS, max_tokens: 800, start_char: first.next_start_char ?? 0 });
    const letters = `${first.excerpt}\n${second.excerpt}`.replace(/[^A-Z]/g, '');
    expect(letters).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  });
});

describe('expand', () => {
  const middle = { start: SENTENCE.length * 50, end: SENTENCE.length * 51 - 1 };

  it('widens the last shown window by whole words on both sides', async () => {
    const { expand } = await reading(LONG, middle);
    const { start_char, end_char, excerpt } = await expand();
    expect(start_char).toBeLessThan(middle.start);
    expect(end_char).toBeGreaterThan(middle.end);
    expect(excerpt).toBe(LONG.slice(start_char, end_char));
    expect(LONG.slice(start_char - 1, start_char + 1)).toMatch(/\s\S|\S\s/);
  });

  it('widens its own last result in the next call', async () => {
    const { expand } = await reading(LONG, middle);
    const first = await expand();
    const second = await expand();
    expect(second.start_char).toBeLessThan(first.start_char);
    expect(second.end_char).toBeGreaterThan(first.end_char);
  });

  it('does not repeat a passage that was shown to its end, and says so', async () => {
    const { expand } = await reading('One two.', { start: 4, end: 7 });
    await expand();
    const again = await expand();
    expect(again).toMatchObject({ excerpt: '', start_char: 8, truncated: false, next_start_char: null });
    expect(excerptText(again)).toBe('The passage is complete: all of it was already shown.');
    expect(await expand({ start_char: 0 })).toMatchObject({ excerpt: 'One two.' });
  });

  it('widens what was read last', async () => {
    const { expand, read } = await reading(LONG, middle);
    const { end_char } = await read({ start_char: 2_000, max_tokens: 100 });
    expect(await expand({ before_tokens: 0, after_tokens: 0 })).toMatchObject({
      start_char: 2_000,
      end_char,
    });
  });

  it('widens the window between start_char and end_char', async () => {
    const { expand } = await reading('One two three four five.', { start: 0, end: 3 });
    const window = { start_char: 8, end_char: 13, before_tokens: 0, after_tokens: 0 };
    expect(await expand(window)).toMatchObject({ excerpt: 'three', start_char: 8, end_char: 13 });
  });

  it('stays inside the section', async () => {
    const { expand } = await reading('One two.', { start: 4, end: 7 });
    expect(await expand()).toMatchObject({ excerpt: 'One two.', truncated: false, next_start_char: null });
  });

  it('returns at most 800 tokens, for any window', async () => {
    const { expand } = await reading(LONG, { start: 0, end: LONG.length });
    expect(estimateTokens((await expand()).excerpt)).toBeLessThanOrEqual(MAX_EXCERPT_TOKENS);
    expect(MAX_EXCERPT_TOKENS).toBe(800);
  });

  it.each([
    ['a start behind the end of the passage', { start_char: 24 }, 'start_char_past_end'],
    ['an end before the start', { start_char: 8, end_char: 4 }, 'window_reversed'],
    ['an unknown passage', { passage_id: 'unknown' }, 'passage_not_found'],
  ])('refuses %s', async (_, given, reason) => {
    const { expand } = await reading('One two three four five.');
    await expect(expand(given)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', reason });
  });
});

describe('results of providers', () => {
  it.each(['text', 'bullets'] as const)('are marked as untrusted, as %s', async (format) => {
    const passages = somePassages();
    const service = new ExcerptService(passages, new LimitsConfig());
    const passage_id = await passages.keepProvided(aCall(), {
      provider: 'files',
      tool: 'files.read',
      text: LONG,
    });
    const input = readExcerptTool.input.parse({ passage_id, options: { format } });
    const { output } = await service.read(aCall(), input);
    expect(output.excerpt).toMatch(
      /^BEGIN UNTRUSTED DATA (\S+) from files\n(?:- )?The keeper[\s\S]*\nEND UNTRUSTED DATA \1$/,
    );
    expect(output.next_start_char).toBeGreaterThan(100);
  });
});
