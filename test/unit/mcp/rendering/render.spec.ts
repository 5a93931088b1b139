import { z } from 'zod';
import { BackendsConfig } from '../../../../src/config/settings/backends.config.js';
import { DiagnosticsConfig } from '../../../../src/config/settings/diagnostics.config.js';
import { DomainsConfig } from '../../../../src/config/settings/domains.config.js';
import { GovernanceConfig } from '../../../../src/config/settings/governance.config.js';
import { IndexConfig } from '../../../../src/config/settings/index.config.js';
import { InnerVoiceConfig } from '../../../../src/config/settings/inner-voice.config.js';
import { LimitsConfig } from '../../../../src/config/settings/limits.config.js';
import { QuestionsConfig } from '../../../../src/config/settings/questions.config.js';
import { ScratchConfig } from '../../../../src/config/settings/scratch.config.js';
import { SurfaceConfig } from '../../../../src/config/settings/surface.config.js';
import { BudgetExceededError, InvalidArgumentError } from '../../../../src/core/errors.js';
import type { ToolDefinition } from '../../../../src/mcp/define-tool.js';
import { toEnvelope } from '../../../../src/mcp/rendering/error-envelope.js';
import { renderError, renderResult } from '../../../../src/mcp/rendering/render.js';
import { resolveSurface } from '../../../../src/mcp/surface/surface.js';
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
      questions: new QuestionsConfig(),
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
