import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseConfig } from '../../../../src/config/config.js';
import { BackendUnavailableError, ScopeViolationError } from '../../../../src/core/errors.js';
import { hasFixedOutput } from '../../../../src/mcp/define-tool.js';
import { renderError, renderResult } from '../../../../src/mcp/rendering/render.js';
import { resolveSurface } from '../../../../src/mcp/surface/surface.js';
import { listScratchTool } from '../../../../src/scratch/list-scratch.tool.js';
import { searchDocsTool } from '../../../../src/search-docs/search-docs.tool.js';
import { toolDefinitions } from '../../../support/all-tools.js';
import { aCall } from '../../../support/builders.js';

const definitions = toolDefinitions();
const surfaceWith = (env: Record<string, string>) =>
  resolveSurface(definitions, parseConfig({ MCP_RESPONSE_ENVELOPE: 'on', ...env }), {});
const surface = surfaceWith({});
const plain = surfaceWith({ MCP_STRUCTURED_OUTPUT_ENABLED: 'false' });
const off = surfaceWith({ MCP_RESPONSE_ENVELOPE: 'off' });
const toolOf = (name: string) => definitions.find((each) => each.name === name);
const META = { 'pith/tool_call_id': 'call-1', 'pith/schema_version': 1 };

const passage = { passage_id: 'P', section_id: 'a.md#b', title: 'B', size_bytes: 1, expires_in_s: 1 };
const listing = { passages: [passage], partial: false, limit_reason: 'none' } as const;
const hits = { hits: [{ chunk_id: 'a.md#b' }], next_cursor: null, hint: null };
const REFS = [
  { type: 'passage', id: 'P' },
  { type: 'section', id: 'a.md#b' },
];

const down = new BackendUnavailableError('The index is down.', { reason: 'index_missing', hint: 'Wait.' });
const waiting = new ScopeViolationError('An operator has to approve this call.', {
  reason: 'approval_required',
  hint: 'Repeat the call once it is approved.',
  details: {
    approval_id: 'A'.repeat(36),
    expires_at: '2026-01-01T00:00:00Z',
    rule: 'writes',
    approver: 'operator',
  },
});

describe('the response envelope', () => {
  it('wraps the output with status, refs, warnings and the id of the call', () => {
    expect(renderResult(aCall(), listing, { tool: listScratchTool, surface })).toMatchObject({
      content: [{ type: 'text', text: expect.stringMatching(/^P B/) }],
      structuredContent: {
        status: 'success',
        data: listing,
        refs: REFS,
        warnings: [],
        tool_call_id: 'call-1',
      },
      _meta: META,
    });
  });

  it('leaves the text as it is without the envelope', () => {
    const texts = [surface, off].map(
      (each) => renderResult(aCall(), listing, { tool: listScratchTool, surface: each }).content,
    );
    expect(texts[0]).toEqual(texts[1]);
  });

  it('is the text if structured output is off', () => {
    const { content } = renderResult(aCall(), listing, { tool: listScratchTool, surface: plain });
    expect(JSON.parse(String(Object(content[0])['text']))).toMatchObject({
      status: 'success',
      data: listing,
    });
  });

  it('is in _meta for tools whose output another specification fixes', () => {
    const { structuredContent, _meta } = renderResult(aCall(), hits, { tool: searchDocsTool, surface });
    expect(structuredContent).toEqual(hits);
    expect(_meta).toEqual({
      ...META,
      'pith/envelope': { status: 'success', refs: REFS.slice(1), warnings: [], tool_call_id: 'call-1' },
    });
  });

  it('is in _meta for exactly these tools', () => {
    expect(definitions.filter(hasFixedOutput).map(({ name }) => name)).toEqual([
      'search_docs',
      'get_doc',
      'search',
      'fetch',
      'inner_voice.retrieve',
      'search_sections',
      'get_section_text',
      'describe_nodes',
      'expand_neighbors',
      'get_paths_between',
      'list_children',
      'list_parents',
      'get_entities_for_sections',
      'get_sections_for_entities',
      'traverse_relationships',
      'summarize_neighborhood',
      'compute_context_bundle',
      'search_documentation',
    ]);
  });

  it('wraps a failure, which keeps its error', () => {
    expect(renderError(aCall(), down, { surface, tool: toolOf('kb.search') })).toMatchObject({
      content: [{ text: 'BACKEND_UNAVAILABLE: The index is down. Wait.' }],
      structuredContent: {
        status: 'error',
        error: { code: 'BACKEND_UNAVAILABLE' },
        refs: [],
        warnings: [],
        tool_call_id: 'call-1',
      },
      isError: true,
    });
    expect(renderError(aCall(), down, { surface, tool: toolOf('search_docs') })).toMatchObject({
      structuredContent: { error: { code: 'BACKEND_UNAVAILABLE' } },
      _meta: { 'pith/envelope': { status: 'error' } },
    });
  });

  it('is pending for a call that waits for an approval', () => {
    expect(
      renderError(aCall(), waiting, { surface, tool: toolOf('kb.search') }).structuredContent,
    ).toMatchObject({
      status: 'pending',
      error: { code: 'SCOPE_VIOLATION', details: { approval_id: 'A'.repeat(36) } },
    });
  });

  it('names an artifact by its SHA-256, as the specification does', () => {
    const call = aCall();
    const tool = {
      ...listScratchTool,
      rendering: { ...listScratchTool.rendering, refs: () => [{ type: 'artifact', id: 'abc' } as const] },
    };
    expect(renderResult(call, listing, { tool, surface }).structuredContent).toMatchObject({
      refs: [{ type: 'artifact', sha256: 'abc' }],
    });
  });

  it('lists 100 refs and counts the others', () => {
    const passages = Array.from({ length: 60 }, (_, i) => ({
      ...passage,
      passage_id: `P${i}`,
      section_id: `a.md#${i}`,
    }));
    const { structuredContent } = renderResult(
      aCall(),
      { ...listing, passages },
      { tool: listScratchTool, surface },
    );
    expect(Object(structuredContent)['refs']).toHaveLength(100);
    expect(structuredContent).toMatchObject({ warnings: ['20 further refs are not listed.'] });
  });
});

describe('the warnings of the response envelope', () => {
  const warningsOf = (result: {
    structuredContent?: unknown;
    _meta: Readonly<Record<string, unknown>>;
  }): unknown => Object(result._meta['pith/envelope'] ?? result.structuredContent)['warnings'];
  const degraded = () => {
    const call = aCall();
    call.trace.degraded.push('rerank');
    return call;
  };

  it('name parts that were unavailable', () => {
    expect(warningsOf(renderResult(degraded(), listing, { tool: listScratchTool, surface }))).toEqual([
      'Unavailable: rerank. The result may be less complete.',
    ]);
  });

  it('are not repeated in _meta', () => {
    const call = aCall();
    call.trace.warnings.push('deprecated alias: find is now scratch.list');
    for (const result of [
      renderResult(call, listing, { tool: listScratchTool, surface }),
      renderResult(call, hits, { tool: searchDocsTool, surface }),
      renderError(call, down, { surface, tool: toolOf('kb.search') }),
    ]) {
      expect(warningsOf(result)).toEqual(call.trace.warnings);
      expect(result._meta).not.toHaveProperty('pith/warnings');
    }
  });

  it.each([
    ['page_size', 'There are more results than this page shows.'],
    ['byte_cap', 'The result was shortened to fit its size limit.'],
    ['token_cap', 'The result was shortened to fit its token limit.'],
  ] as const)('say that a result is reduced by %s', (limit_reason, warning) => {
    const partial = { ...listing, partial: true, limit_reason };
    expect(warningsOf(renderResult(aCall(), partial, { tool: listScratchTool, surface }))).toEqual([warning]);
  });

  it('report a reduced result for tools whose output has no such field', () => {
    expect(
      warningsOf(renderResult(aCall(), hits, { tool: searchDocsTool, surface, cutBy: 'byte_cap' })),
    ).toEqual(['The result was shortened to fit its size limit.']);
  });

  it('name the tool to prefer to a legacy name, also if it fails', () => {
    const call = aCall({ host: { names: 'underscore' } });
    expect(warningsOf(renderError(call, down, { surface, tool: toolOf('list_children') }))).toEqual([
      'list_children is deprecated. Legacy name of graph_children; prefer graph_children.',
    ]);
  });
});

describe('the output schemas with the envelope', () => {
  const ajv = new Ajv2020({ strict: false });
  const state = (name: string) => {
    const found = surface.tools.get(name);
    if (!found) throw new Error(`no tool ${name}`);
    return found;
  };
  const accepts = (name: string, value: unknown): boolean => ajv.compile(state(name).outputSchema)(value);
  const wrapped = renderResult(aCall(), listing, { tool: listScratchTool, surface }).structuredContent;

  it('accept a wrapped result and a failure, and nothing else', () => {
    const failed = renderError(aCall(), waiting, { surface, tool: toolOf('scratch.list') }).structuredContent;
    expect(
      [wrapped, failed, listing, { ...Object(wrapped), data: 5 }, { status: 'success' }].map((value) =>
        accepts('scratch.list', value),
      ),
    ).toEqual([true, true, false, false, false]);
  });

  it.each(definitions.map(({ name }) => [name]))('of %s accepts its failures', (name) => {
    const { structuredContent } = renderError(aCall(), down, { surface, tool: toolOf(name) });
    expect(accepts(name, structuredContent)).toBe(true);
  });

  it('are unchanged for tools whose output is fixed', () => {
    expect(state('search_docs').outputSchema).toEqual(off.tools.get('search_docs')?.outputSchema);
  });
});

describe('a failure in the envelope', () => {
  it.each(
    ['x', '港', '"'].flatMap((char) =>
      ['kb.search', 'search_documentation', 'search_docs'].map((name) => [char, name] as const),
    ),
  )("respects the operator's limit for any length of %j in %s", (char, name) => {
    const details = { approval_id: 'A'.repeat(36) };
    const long = new ScopeViolationError(char.repeat(600), {
      reason: 'approval_required',
      hint: char.repeat(2_000),
      details,
    });
    const call = aCall();
    call.trace.degraded.push('vector', 'rerank', 'graph', 'scratch');
    const small = { ...surface, maxResponseBytes: 1_024 };
    const result = renderError(call, long, { surface: small, tool: toolOf(name) });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(1_024 - 256);
    expect(result.structuredContent).toMatchObject({ error: { details } });
  });
});
