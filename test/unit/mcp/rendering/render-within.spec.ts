import fc from 'fast-check';
import { keptOf, listReply, shownSkipped } from '../../../../src/core/reply.js';
import { countTokens } from '../../../../src/mcp/rendering/count-tokens.js';
import type { ToolResult } from '../../../../src/mcp/rendering/render.js';
import { renderWithin, withUsage } from '../../../../src/mcp/rendering/render-within.js';
import { estimateTokens } from '../../../../src/text/estimate-tokens.js';

interface Items {
  readonly items: readonly string[];
  readonly limit_reason: string;
}
const asResult = (output: Items): ToolResult => ({ content: [], structuredContent: output, _meta: {} });
/** Three items of 200 characters, named by rank. */
const threeItems = () =>
  listReply({ count: 3, maxChars: 200 }, ({ count, maxChars, reason }) => ({
    items: ['1', '2', '3'].slice(0, count).map((rank) => rank.repeat(maxChars)),
    limit_reason: reason ?? 'none',
  }));
const bytesOf = (result: unknown): number => Buffer.byteLength(JSON.stringify(result));
const within = (bytes: number, tokens = 100_000) => renderWithin(threeItems(), { bytes, tokens }, asResult);

describe('renderWithin', () => {
  it('does not change a result that fits', () => {
    expect(within(2_000).output).toEqual({
      items: ['1'.repeat(200), '2'.repeat(200), '3'.repeat(200)],
      limit_reason: 'none',
    });
  });

  it('drops the lowest-ranked items first', () => {
    expect(within(600).output).toEqual({
      items: ['1'.repeat(200), '2'.repeat(200)],
      limit_reason: 'byte_cap',
    });
  });

  it('truncates the text of the last remaining item if that is still too large', () => {
    expect(within(200).output).toEqual({ items: ['1'.repeat(100)], limit_reason: 'byte_cap' });
  });

  it('respects the token ceiling, and reports which ceiling was exceeded', () => {
    const { result, output } = within(100_000, 200);
    expect(output.limit_reason).toBe('token_cap');
    expect(estimateTokens(JSON.stringify(result))).toBeLessThanOrEqual(200);
  });

  it.each([150, 200, 400, 700])('measures the complete serialised result against %i bytes', (bytes) => {
    expect(bytesOf(within(bytes).result)).toBeLessThanOrEqual(bytes);
  });

  it('counts bytes, not characters', () => {
    const reply = listReply({ count: 2, maxChars: 100 }, ({ count, maxChars, reason }) => ({
      items: ['漢', '字'].slice(0, count).map((item) => item.repeat(maxChars)),
      limit_reason: reason ?? 'none',
    }));
    const { result } = renderWithin(reply, { bytes: 500, tokens: 100_000 }, asResult);
    expect(bytesOf(result)).toBeLessThanOrEqual(500);
  });

  it('fails if not even one item fits', () => {
    expect(() => within(60)).toThrow(
      expect.objectContaining({ code: 'BUDGET_EXCEEDED', reason: 'response_bytes' }),
    );
  });

  it('fails for a result that can not become smaller', () => {
    const fixed = listReply({ count: 1, maxChars: 0 }, () => ({
      items: ['x'.repeat(100)],
      limit_reason: 'none',
    }));
    const render = () => renderWithin(fixed, { bytes: 50, tokens: 1_000 }, asResult);
    expect(render).toThrow(expect.objectContaining({ code: 'BUDGET_EXCEEDED' }));
  });

  describe('with items that do not fit alone', () => {
    /** Items of these sizes, named by position. */
    const sized = (sizes: readonly number[], more: { isPage?: boolean; needsFirst?: boolean } = {}) =>
      listReply({ count: sizes.length, maxChars: 0, ...more }, (fit) => ({
        items: keptOf([...sizes.keys()], fit),
        padding: keptOf(sizes, fit).map((size) => 'x'.repeat(size)),
        next: fit.count,
        ...shownSkipped(fit),
      }));
    const fitted = (...args: Parameters<typeof sized>) => {
      const render = (output: unknown): ToolResult => ({ content: [], structuredContent: output, _meta: {} });
      const { output, usage } = renderWithin(sized(...args), { bytes: 400, tokens: 100_000 }, render);
      return { items: output.items.join(''), next: output.next, skipped: usage.skipped };
    };

    it.each([
      ['the first', [500, 50, 50], { items: '12', next: 3, skipped: 1 }],
      ['one in the middle', [50, 500, 50], { items: '02', next: 3, skipped: 1 }],
      ['the last', [50, 50, 500], { items: '01', next: 3, skipped: 1 }],
      ['several in a row', [50, 500, 600, 500, 50], { items: '04', next: 5, skipped: 3 }],
    ])('skips %s and counts it', (_, sizes, expected) => {
      expect(fitted(sizes)).toEqual(expected);
    });

    it('ends before an item that fits on the next page', () => {
      expect(fitted([200, 500, 200, 500])).toEqual({ items: '0', next: 2, skipped: 1 });
      expect(fitted([200, 200])).toEqual({ items: '0', next: 1, skipped: undefined });
    });

    it('returns an empty page of a paged list if no item fits, and fails for other lists', () => {
      expect(fitted([500, 500], { isPage: true })).toEqual({ items: '', next: 2, skipped: 2 });
      expect(() => fitted([500, 500])).toThrow(expect.objectContaining({ code: 'BUDGET_EXCEEDED' }));
    });

    it('skips nothing if the first item is required', () => {
      expect(() => fitted([500, 50], { needsFirst: true })).toThrow(
        expect.objectContaining({ code: 'BUDGET_EXCEEDED' }),
      );
      expect(fitted([50, 500], { needsFirst: true })).toEqual({ items: '0', next: 1, skipped: undefined });
    });

    it('shows and skips every item once, page by page', () => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 600 }), { minLength: 1, maxLength: 9 }), (sizes) => {
          let [shown, skipped] = [0, 0];
          for (let from = 0; from < sizes.length;) {
            const page = fitted(sizes.slice(from), { isPage: true });
            shown += page.items.length;
            skipped += page.skipped ?? 0;
            expect(page.next).toBeGreaterThan(0);
            from += page.next;
          }
          expect(shown + skipped).toBe(sizes.length);
        }),
      );
    });
  });

  it('does not change an empty result', () => {
    const empty = listReply({ count: 0, maxChars: 200 }, () => ({ items: [], limit_reason: 'none' }));
    expect(renderWithin(empty, { bytes: 200, tokens: 1_000 }, asResult).output.items).toEqual([]);
  });
});

describe('renderWithin, measured exactly', () => {
  const asText = (output: unknown): ToolResult => ({ content: [], structuredContent: output, _meta: {} });
  const HUGE = 10_000_000;
  /** Items that take these numbers of characters. */
  const lengths = (sizes: readonly number[]) =>
    listReply({ count: sizes.length, maxChars: 0 }, (fit) =>
      keptOf(sizes, fit).map((size) => 'x'.repeat(size)),
    );

  it('is complete up to the last byte and the last token', () => {
    const { usage } = renderWithin(lengths([30, 30]), { bytes: HUGE, tokens: HUGE }, asText);
    const at = (bytes: number, tokens: number) =>
      renderWithin(lengths([30, 30]), { bytes, tokens }, asText).broken;
    const { bytes, tokens } = usage;
    expect(bytes).toBe(bytesOf(asText(['x'.repeat(30), 'x'.repeat(30)])));
    expect(tokens).toBe(countTokens(JSON.stringify(asText(['x'.repeat(30), 'x'.repeat(30)]))));
    expect([at(bytes, tokens), at(bytes - 1, tokens), at(bytes, tokens - 1)]).toEqual([
      null,
      'byte_cap',
      'token_cap',
    ]);
  });

  it('names the ceiling of which the complete output has too much, and the size of what is shown', () => {
    const { usage, result, broken } = renderWithin(lengths([30, 60]), { bytes: 140, tokens: HUGE }, asText);
    expect(usage).toEqual({ bytes: bytesOf(result), tokens: countTokens(JSON.stringify(result)) });
    expect(broken).toBe('byte_cap');
  });

  it('fails with both ceilings, and the one that is exceeded', () => {
    const failure = (bytes: number, tokens: number): unknown => {
      try {
        return renderWithin(lengths([500]), { bytes, tokens }, asText);
      } catch (error) {
        return error;
      }
    };
    expect(failure(50, HUGE)).toMatchObject({
      reason: 'response_bytes',
      details: { ceiling_bytes: 50, ceiling_tokens: HUGE },
    });
    expect(failure(HUGE, 5)).toMatchObject({ reason: 'response_tokens' });
  });

  it('shortens a single text by halves, down to 40 characters', () => {
    const reply = (maxChars: number) =>
      listReply({ count: 1, maxChars }, (fit) => ['x'.repeat(fit.maxChars * fit.count)]);
    const empty = bytesOf(asText(['']));
    const shown = (maxChars: number, room: number): number | undefined =>
      renderWithin(reply(maxChars), { bytes: empty + room, tokens: HUGE }, asText).output[0]?.length;
    expect([shown(200, 199), shown(200, 99), shown(161, 60)]).toEqual([100, 50, 40]);
    expect(() => shown(200, 49)).toThrow('No item fits');
    expect(() => shown(78, 77)).toThrow('No item fits');
  });

  it('renders no text longer than the complete output has, nor shorter than 40 characters', () => {
    const render = jest.fn(asText);
    const reply = listReply({ count: 2, maxChars: 200 }, (fit) => ['x'.repeat(fit.maxChars * fit.count)]);
    renderWithin(reply, { bytes: bytesOf(asText([''])) + 60, tokens: HUGE }, render);
    const fits = render.mock.calls.map(([, fit]: unknown[]) => fit);
    expect(fits[0]).toEqual({ count: 2, maxChars: 200, reason: null });
    const lengthsTried = fits.map((fit) => Object(fit)['maxChars'] as number);
    expect([Math.max(...lengthsTried), Math.min(...lengthsTried)]).toEqual([200, 50]);
  });

  it('builds nothing if the complete output fits', () => {
    const build = jest.fn(lengths([30]).build);
    renderWithin({ ...lengths([30]), build }, { bytes: HUGE, tokens: HUGE }, asText);
    expect(build).not.toHaveBeenCalled();
  });

  it('fits up to the last byte and the last token with fewer items, too', () => {
    const two = asText(['x'.repeat(30), 'x'.repeat(30)]);
    const three = lengths([30, 30, 30]);
    const bytes = bytesOf(two);
    const tokens = countTokens(JSON.stringify(two));
    expect(renderWithin(three, { bytes, tokens: HUGE }, asText).output).toHaveLength(2);
    expect(renderWithin(three, { bytes: HUGE, tokens }, asText).output).toHaveLength(2);
    expect(renderWithin(three, { bytes, tokens }, asText).output).toHaveLength(2);
  });

  it('leaves debug output out of an empty list', () => {
    const reply = { ...lengths([]), output: ['debug'] };
    const bytes = bytesOf(asText(['debug'])) - 1;
    expect(renderWithin(reply, { bytes, tokens: HUGE }, asText).output).toEqual([]);
  });

  it('skips an item whose shortest text does not fit, and shows the next', () => {
    const reply = listReply({ count: 2, maxChars: 80 }, (fit) =>
      keptOf([10, 1], fit).map((times) => 'x'.repeat(times * fit.maxChars)),
    );
    const { output, usage } = renderWithin(reply, { bytes: 200, tokens: HUGE }, asText);
    expect([output.map(({ length }) => length), usage.skipped]).toEqual([[80], 1]);
  });

  it('shortens the first text that can be shown, if those before it never fit', () => {
    const sizes = [900, 300, 300];
    const reply = listReply({ count: 3, maxChars: 300 }, (fit) =>
      keptOf(sizes, fit).map((size) => 'x'.repeat(size === 900 ? 900 : Math.min(size, fit.maxChars))),
    );
    const { output, usage } = renderWithin(reply, { bytes: 250, tokens: HUGE }, asText);
    expect([output.map(({ length }) => length), usage.skipped]).toEqual([[150], 1]);
  });

  it('shows all items if they fit without what only the complete output has', () => {
    const reply = { ...lengths([30, 30]), output: ['x'.repeat(30), 'x'.repeat(30), 'debug'] };
    const bytes = bytesOf(asText(reply.output)) - 1;
    expect(renderWithin(reply, { bytes, tokens: HUGE }, asText).output).toHaveLength(2);
  });

  it('counts a picture as 1,600 tokens, however long its base64 is', () => {
    const picture = { type: 'image', data: 'A'.repeat(90_000), mimeType: 'image/png' } as const;
    const sound = { ...picture, type: 'audio' } as const;
    const text = { type: 'text', text: 'A quay.' } as const;
    const tokens = (content: ToolResult['content']): number =>
      renderWithin(lengths([1]), { bytes: HUGE, tokens: HUGE }, () => ({ content, _meta: {} })).usage.tokens;
    const without = countTokens(JSON.stringify({ content: [text], _meta: {} }));
    expect([tokens([text]), tokens([text, picture]), tokens([text, picture, sound])]).toEqual([
      without,
      without + 1_600,
      without + 3_200,
    ]);
  });

  /** As many of the first items as fit, one by one. */
  function mostBySteps(sizes: readonly number[], ceilings: { bytes: number; tokens: number }): number {
    for (let count = sizes.length; count > 0; count--) {
      const json = JSON.stringify(asText(sizes.slice(0, count).map((size) => 'x'.repeat(size))));
      if (json.length <= ceilings.bytes && countTokens(json) <= ceilings.tokens) return count;
    }
    return 0;
  }

  it('shows as many items as fit, for any sizes and ceilings', () => {
    const size = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 160 }));
    fc.assert(
      fc.property(
        fc.array(size, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 220, max: 4_000 }),
        fc.integer({ min: 200, max: 1_500 }),
        (sizes, bytes, tokens) => {
          const { output } = renderWithin(lengths(sizes), { bytes, tokens }, asText);
          expect(output).toHaveLength(mostBySteps(sizes, { bytes, tokens }));
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ['even sizes', Array.from({ length: 200 }, () => 30), 4],
    ['a few large ones', Array.from({ length: 200 }, (_, i) => (i < 20 ? 3_000 : 1)), 15],
  ])('builds few outputs to find how many items of %s fit', (_, sizes, most) => {
    for (const share of [0.1, 0.5, 0.9]) {
      const reply = lengths(sizes);
      const build = jest.fn(reply.build);
      const bytes = Math.floor(bytesOf(asText(reply.output)) * share);
      const { output } = renderWithin({ ...reply, build }, { bytes, tokens: HUGE }, asText);
      expect(output).toHaveLength(mostBySteps(sizes, { bytes, tokens: HUGE }));
      expect(build.mock.calls.length).toBeLessThanOrEqual(most);
    }
  });
});

describe('withUsage', () => {
  it('adds the size to a result', () => {
    const result: ToolResult = { content: [], _meta: { a: 1 } };
    const usage = { bytes: 5, tokens: 2 };
    expect(withUsage({ result, usage })).toEqual({ content: [], _meta: { a: 1, 'pith/usage': usage } });
  });
});
