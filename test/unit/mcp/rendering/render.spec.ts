import fc from 'fast-check';
import { z } from 'zod';
import { BackendsConfig } from '../../../../src/config/settings/backends.config.js';
import { DiagnosticsConfig } from '../../../../src/config/settings/diagnostics.config.js';
import { DomainsConfig } from '../../../../src/config/settings/domains.config.js';
import { GovernanceConfig } from '../../../../src/config/settings/governance.config.js';
import { IndexConfig } from '../../../../src/config/settings/index.config.js';
import { InnerVoiceConfig } from '../../../../src/config/settings/inner-voice.config.js';
import { LimitsConfig } from '../../../../src/config/settings/limits.config.js';
import { ScratchConfig } from '../../../../src/config/settings/scratch.config.js';
import { SurfaceConfig } from '../../../../src/config/settings/surface.config.js';
import { BudgetExceededError, InvalidArgumentError } from '../../../../src/core/errors.js';
import { keptOf, listReply, shownSkipped } from '../../../../src/core/reply.js';
import type { ToolDefinition } from '../../../../src/mcp/define-tool.js';
import { toEnvelope } from '../../../../src/mcp/rendering/error-envelope.js';
import { renderError, renderResult, type ToolResult } from '../../../../src/mcp/rendering/render.js';
import { renderWithin } from '../../../../src/mcp/rendering/render-within.js';
import { resolveSurface } from '../../../../src/mcp/surface/surface.js';
import { estimateTokens } from '../../../../src/text/estimate-tokens.js';
import { aCall } from '../../../support/builders.js';

const output = z.strictObject({ text: z.string() });
const TOOL: ToolDefinition<z.ZodType, typeof output> = {
  name: 'kb.test',
  title: 'Test',
  description: 'For tests.',
  input: z.strictObject({}),
  output,
  feature: 'kb',
  isCore: false,
  permission: 'read',
  budget: { bytes: 1_000, tokens: 1_000 },
  rendering: {
    full: ({ text }) => `All of ${text}.`,
    summary: ({ text }) => `${text.length} characters.`,
    links: (_, lastModified) => [{ uri: 'u', name: 'n', title: 't', bytes: 3, lastModified }],
  },
};
const META = { 'pith/tool_call_id': 'call-1', 'pith/schema_version': 1 };

const surface = (structuredOutput: boolean) =>
  resolveSurface(
    [TOOL],
    {
      surface: Object.assign(new SurfaceConfig(), { structuredOutput }),
      scratch: new ScratchConfig(),
      limits: new LimitsConfig(),
      backends: new BackendsConfig(),
      governance: new GovernanceConfig(),
      domains: new DomainsConfig(),
      index: new IndexConfig(),
      diagnostics: new DiagnosticsConfig(),
      innerVoice: new InnerVoiceConfig(),
    },
    {},
  );
const STRUCTURED = surface(true);
const PLAIN = surface(false);

describe('renderResult', () => {
  it('returns the structured result and complete text', () => {
    expect(renderResult(aCall(), { text: 'it' }, { tool: TOOL, surface: STRUCTURED })).toEqual({
      content: [{ type: 'text', text: 'All of it.' }],
      structuredContent: { text: 'it' },
      _meta: META,
    });
  });

  it('says since when the documents could not be read', () => {
    const call = aCall();
    call.trace.unreadSince = '2026-02-03T04:05:06.000Z';
    const { content, _meta } = renderResult(call, { text: 'it' }, { tool: TOOL, surface: STRUCTURED });
    const note =
      'The documents could not be read and indexed since 2026-02-03T04:05:06.000Z. This is from the index of before.';
    expect(content.slice(1)).toEqual([{ type: 'text', text: note }]);
    expect(_meta).toEqual({ ...META, 'pith/warnings': [note] });
  });

  it('says that it is not complete if the output has no field that does', () => {
    const showing = { tool: TOOL, surface: STRUCTURED, broken: 'byte_cap' } as const;
    const sentence = 'The result was shortened to fit its size limit.';
    const { content, _meta } = renderResult(aCall(), { text: 'it' }, showing);
    expect(content.slice(1)).toEqual([{ type: 'text', text: sentence }]);
    expect(_meta).toEqual({ ...META, 'pith/warnings': [sentence] });
    const own = renderResult(aCall(), { text: 'it', limit_reason: 'byte_cap' }, showing);
    expect(own.content).toHaveLength(1);
    expect(own._meta).toEqual(META);
  });

  it('says nothing about the documents of the server when another corpus was read', () => {
    const call = aCall();
    Object.assign(call.trace, { unreadSince: '2026-02-03T04:05:06.000Z', corpus: 'manuals' });
    expect(renderResult(call, { text: 'it' }, { tool: TOOL, surface: STRUCTURED })._meta).toEqual(META);
  });

  it('puts warnings outside of the result, also for a failure', () => {
    const call = aCall();
    call.trace.warnings.push('deprecated alias: find is now kb.test');
    const meta = { ...META, 'pith/warnings': ['deprecated alias: find is now kb.test'] };
    expect(renderResult(call, { text: 'it' }, { tool: TOOL, surface: STRUCTURED })._meta).toEqual(meta);
    expect(renderError(call, new Error('x'), { surface: STRUCTURED, tool: TOOL })._meta).toEqual(meta);
  });

  it('returns a summary as text for hosts that forward text and structured output', () => {
    const call = aCall({ host: { render: 'summary' } });
    expect(renderResult(call, { text: 'it' }, { tool: TOOL, surface: STRUCTURED }).content).toEqual([
      { type: 'text', text: '2 characters.' },
    ]);
  });

  it('returns links with size and annotations for hosts that use them', () => {
    const { content } = renderResult(
      aCall({ host: { resourceLinks: true } }),
      { text: 'it' },
      { tool: TOOL, surface: STRUCTURED },
    );
    expect(content[1]).toEqual({
      type: 'resource_link',
      uri: 'u',
      name: 'n',
      title: 't',
      mimeType: 'text/plain',
      size: 3,
      annotations: { audience: ['assistant'], priority: 0.1, lastModified: '2026-01-01T00:00:00.000Z' },
    });
  });

  it('returns only minified JSON if structured output is off', () => {
    const call = aCall({ host: { resourceLinks: true } });
    expect(renderResult(call, { text: 'it' }, { tool: TOOL, surface: PLAIN })).toEqual({
      content: [{ type: 'text', text: '{"text":"it"}' }],
      _meta: META,
    });
  });
});

describe('renderResult of a tool whose contract fixes the text', () => {
  const tool = { ...TOOL, rendering: { ...TOOL.rendering, isContract: true } };

  it.each([
    ['on', STRUCTURED],
    ['off', PLAIN],
  ])('returns that text with structured output %s', (_, surface) => {
    const [block] = renderResult(aCall(), { text: 'it' }, { tool, surface }).content;
    expect(block).toEqual({ type: 'text', text: 'All of it.' });
  });

  it('reports degraded stages outside the output', () => {
    const call = aCall();
    call.trace.degraded.push('graph');
    const output = { text: 'it' };
    expect(renderResult(call, output, { tool, surface: STRUCTURED })._meta).toEqual({
      ...META,
      'pith/degraded': ['graph'],
    });
    expect(renderResult(call, output, { tool: TOOL, surface: STRUCTURED })._meta).toEqual(META);
  });
});

describe('renderError', () => {
  const error = new BudgetExceededError('Too much.', {
    reason: 'response_bytes',
    hint: 'Call kb.test for less.',
  });
  const envelope = toEnvelope(error, aCall(), String);

  it('spells tools for the host', () => {
    const [block] = renderError(aCall({ host: { names: 'underscore' } }), error, {
      surface: STRUCTURED,
      tool: TOOL,
    }).content;
    expect(block).toEqual({ type: 'text', text: 'BUDGET_EXCEEDED: Too much. Call kb_test for less.' });
  });

  it('marks the failure, with one line of advice', () => {
    expect(renderError(aCall(), error, { surface: STRUCTURED, tool: TOOL })).toEqual({
      content: [{ type: 'text', text: 'BUDGET_EXCEEDED: Too much. Call kb.test for less.' }],
      structuredContent: envelope,
      isError: true,
      _meta: META,
    });
  });

  it('returns the envelope as JSON if structured output is off', () => {
    expect(renderError(aCall(), error, { surface: PLAIN, tool: TOOL })).toEqual({
      content: [{ type: 'text', text: JSON.stringify(envelope) }],
      isError: true,
      _meta: META,
    });
  });

  it.each(['x', '港', '"'])("respects the operator's ceiling for any length of %j", (char) => {
    const hint = char.repeat(2_000);
    const long = new InvalidArgumentError(char.repeat(600), { reason: 'unknown_field', hint });
    const small = { ...STRUCTURED, maxResponseBytes: 768 };
    const result = renderError(aCall(), long, { surface: small, tool: TOOL });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(768);
    expect(result.structuredContent).toMatchObject({ error: { details: { reason: 'unknown_field' } } });
  });

  describe('for a contract with its own messages', () => {
    const options = { reason: 'chunk_not_found', hint: 'Use search_docs.', isPlain: true };
    const plain = new InvalidArgumentError("Chunk ID 'x' not found.", options);
    const line = { type: 'text', text: "Chunk ID 'x' not found. Use search_docs." };

    it('has only the message in its text, and the code in the structured content', () => {
      expect(renderError(aCall(), plain, { surface: STRUCTURED, tool: TOOL })).toMatchObject({
        content: [line],
        structuredContent: { error: { code: 'INVALID_ARGUMENT', details: { reason: 'chunk_not_found' } } },
      });
    });

    it('has the message even if structured output is off', () => {
      expect(renderError(aCall(), plain, { surface: PLAIN, tool: TOOL })).toEqual({
        content: [line],
        isError: true,
        _meta: META,
      });
    });
  });
});

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
