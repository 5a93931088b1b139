import { errorLine, toEnvelope } from '../../../src/mcp/rendering/error-envelope.js';
import { isImpossibleId, malformedId, unknownId } from '../../../src/search-docs/chunk-id.js';
import { aCall } from '../../support/builders.js';

const lineOf = (error: Error): string => errorLine(toEnvelope(error, aCall(), String), true);

describe('isImpossibleId', () => {
  it.each(['a.md', 'a.md#use', 'a.md#use/more', 'a b.md', 'a%20b.md#use', 'c#.md#use', 'ä/ö.md#ü', ' a.md'])(
    'is false for %j',
    (id) => {
      expect(isImpossibleId(id)).toBe(false);
    },
  );

  it.each([
    '',
    ' ',
    '#',
    '#use',
    ' #use',
    'a.md#',
    'a.md# ',
    'a\nb.md',
    'a\u0000.md',
    '\ud800.md',
    'ä'.repeat(513),
  ])('is true for %j', (id) => {
    expect(isImpossibleId(id)).toBe(true);
  });
});

describe('the error for an unknown id', () => {
  it('states that the id was not found, in the words of the contract', () => {
    expect(lineOf(unknownId('guides/retries.md#does-not-exist'))).toBe(
      "Chunk ID 'guides/retries.md#does-not-exist' not found. Use search_docs to discover valid chunk IDs.",
    );
  });

  it('states that the format of the id is wrong, in the words of the contract', () => {
    expect(lineOf(malformedId('#x'))).toBe(
      "Chunk ID '#x' has invalid format. Expected {filepath} or {filepath}#{heading-path}.",
    );
  });

  it.each(['a.md#b c', 'a.md#b#c', ' a.md', 'a.md '])('calls %j malformed if nothing has this id', (id) => {
    expect(unknownId(id)).toMatchObject({ reason: 'chunk_id_invalid' });
  });

  it.each(['a.md', 'a b.md', 'a b.md#c/d', 'a.md#_preamble'])('calls %j unknown', (id) => {
    expect(unknownId(id)).toMatchObject({ reason: 'chunk_not_found' });
  });

  it('truncates a long id', () => {
    expect(lineOf(unknownId('x'.repeat(1_024))).length).toBeLessThan(300);
  });
});
