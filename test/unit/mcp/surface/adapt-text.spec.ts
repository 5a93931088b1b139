import { TOOLS } from '../../../../src/app.module.js';
import { type Environment, parseConfig } from '../../../../src/config/config.js';
import { GENERIC_PROFILE } from '../../../../src/core/host-profile.js';
import { definitionsOf } from '../../../../src/mcp/define-tool.js';
import { adaptAdvice, adaptDescriptions, textAdapterFor } from '../../../../src/mcp/surface/adapt-text.js';
import { resolveSurface } from '../../../../src/mcp/surface/surface.js';
import { instructionsFor } from '../../../../src/mcp/transport/client-instructions.js';
import { aCorpus } from '../../../support/a-corpus.js';
import { aReader, permissionsOf } from '../../../support/a-reader.js';
import { aCall } from '../../../support/builders.js';

const definitions = definitionsOf(TOOLS);
const surfaceOf = (settings: Environment = {}) => resolveSurface(definitions, parseConfig(settings), {});
const dotted = aReader();
const underscored = aReader({ host: GENERIC_PROFILE });
const KB_OFF = { MCP_KB_V2_ENABLED: 'false' };

describe('adaptAdvice', () => {
  it.each([
    ['Call kb.search. Read on.', {}, 'Call kb.search. Read on.'],
    ['Call kb.search. Read on.', KB_OFF, 'Read on.'],
    ['Read on. Or call kb.search; then stop.', KB_OFF, 'Read on.'],
    ['Call kb.search (not kb.read_excerpt).', KB_OFF, ''],
    ['Call search_docs.', { MCP_DOCS_TOOLS_ENABLED: 'false' }, ''],
    ['Call scope.describe!', { MCP_TOOLSET: 'core' }, ''],
    ['The kb.searches of version 1.2.3 go on.', KB_OFF, 'The kb.searches of version 1.2.3 go on.'],
    ['Call diagnostics.get. Go on.', { MCP_DIAGNOSTICS_RESOURCES_ENABLED: 'true' }, 'Go on.'],
    ['', {}, ''],
  ])('turns %j under %j into %j', (text, settings, adapted) => {
    expect(adaptAdvice(text, surfaceOf(settings), dotted)).toBe(adapted);
  });

  it('keeps operator tools for operators', () => {
    const surface = surfaceOf({ MCP_DIAGNOSTICS_RESOURCES_ENABLED: 'true' });
    expect(adaptAdvice('Call diagnostics.get.', surface, aReader({ permissions: permissionsOf(true) }))).toBe(
      'Call diagnostics.get.',
    );
  });

  it('spells only tool names for the host', () => {
    const text = 'Call kb.search, then kb.searches or a.kb.search of v1.kb.';
    expect(adaptAdvice(text, surfaceOf(), underscored)).toBe(
      'Call kb_search, then kb.searches or a.kb.search of v1.kb.',
    );
  });
});

describe('adaptDescriptions', () => {
  it('changes every description and no other text', () => {
    const schema = { properties: { a: { description: 'Of kb.search.', enum: ['kb.search'] } } };
    expect(adaptDescriptions(schema, surfaceOf(), underscored)).toEqual({
      properties: { a: { description: 'Of kb_search.', enum: ['kb.search'] } },
    });
  });
});

describe('textAdapterFor', () => {
  const { caller } = aCall();
  const message = 'There is no index at .pith/index.sqlite; call kb.search later.';

  it('shows paths to a local caller', () => {
    expect(textAdapterFor({ ...caller, isLocal: true }, surfaceOf())(message)).toBe(message);
  });

  it('hides paths from remote callers', () => {
    const shown = textAdapterFor({ ...caller, isLocal: false }, surfaceOf())(message);
    expect(shown).toBe('There is no index at INDEX-FILE; call kb.search later.');
  });

  it('removes advice that the caller can not follow, but never a part of a message', () => {
    const words = textAdapterFor({ ...caller, isLocal: true }, surfaceOf(KB_OFF));
    expect(words('kb.search is switched off.')).toBe('kb.search is switched off.');
    expect(words('Call kb.search. Or stop.', true)).toBe('Or stop.');
  });
});

describe('instructionsFor', () => {
  it.each([
    [{}, 'kb.retrieve_evidence'],
    [{ MCP_TOOLSET: 'core' }, 'kb.retrieve_evidence'],
    [KB_OFF, 'search_docs'],
    [{ ...KB_OFF, MCP_DOCS_TOOLS_ENABLED: 'false' }, 'search_sections'],
    [{ ...KB_OFF, MCP_TOOLSET: 'core' }, 'search_sections'],
  ])('with the settings %j, name first %s', (settings, first) => {
    const instructions = instructionsFor(null, surfaceOf(settings), dotted);
    expect(instructions).toMatch(/^Pith answers .+\. Call /);
    expect(instructions.match(/\b(?:[a-z]+\.[a-z_]+|[a-z]+_[a-z_]+)\b/)?.[0]).toBe(first);
  });

  it('name no tool if no tool searches documents', () => {
    const settings = { ...KB_OFF, MCP_DOCS_TOOLS_ENABLED: 'false', MCP_LEGACY_TOOLS: 'off' };
    expect(instructionsFor(null, surfaceOf(settings), dotted)).toMatch(/^[^.]+\.$/);
  });

  it('end with the instructions of the corpus, cut at their limit', () => {
    const instructionsWith = (instructions: string) =>
      instructionsFor(aCorpus({ instructions }), surfaceOf(), underscored);
    expect(instructionsWith('Prefer guides; kb.search finds them.\n')).toMatch(
      /\n\nPrefer guides; kb_search finds them\.$/,
    );
    expect(instructionsWith(' ')).not.toContain('\n');
    expect(instructionsWith('x'.repeat(9_000)).length).toBeLessThan(4_500);
  });
});
