import { legacySectionText } from '../../../../src/legacy/tools/read-sections.js';
import { aCall, aCandidate, FixedIndex } from '../../../support/builders.js';
import { aLegacyService, replyOf } from '../../../support/legacy-tools.js';

const LONG = 'x'.repeat(40_000);
const index = new FixedIndex([
  aCandidate({ section: { id: 'short', text: 'Short.' } }),
  aCandidate({ section: { id: 'long', text: LONG } }),
  aCandidate({ section: { id: 'wide', text: 'ab€de' } }),
  aCandidate({ section: { id: 'emoji', text: 'ab😀de' } }),
  aCandidate({ section: { id: 'hidden', text: 'Hidden.' }, document: { docTag: 'secret' } }),
]);
const service = aLegacyService(null, index);
const replyTo = (section_ids: string[], max_bytes_per?: number, call = aCall()) =>
  replyOf(legacySectionText, service, { section_ids, max_bytes_per }, call);
const read = async (...args: Parameters<typeof replyTo>) => (await replyTo(...args)).output;

describe('get_section_text', () => {
  it('returns its keys in their order', async () => {
    const output = await read(['short']);
    expect(Object.keys(output)).toEqual([
      ...['results', 'hints', 'session_id', 'partial', 'limit_reason', 'meta'],
    ]);
    expect(output.hints).toEqual({ next_tools: ['expand_neighbors', 'describe_nodes'] });
  });

  it('returns rows of seven keys in their order', async () => {
    const [row] = (await read(['short'])).results;
    expect(JSON.stringify(row)).toBe(
      JSON.stringify({
        ...{ section_id: 'short', title: 'Use', doc_tag: 'guides', text_truncated: 'Short.' },
        ...{ bytes: 6, truncated: false, source_blob_id: null },
      }),
    );
  });

  it.each([
    [8_192, 8_192],
    [1, 1],
    [0, 16_384],
    [32_768, 32_768],
    [99_999, 32_768],
  ])('reads max_bytes_per %i as %i bytes of a long section', async (asked, bytes) => {
    expect((await read(['long'], asked)).results).toMatchObject([{ bytes, truncated: true }]);
  });

  it('refuses a negative limit', async () => {
    await expect(read(['long'], -5)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each([
    ['wide', 4, 'ab'],
    ['wide', 5, 'ab€'],
    ['emoji', 5, 'ab'],
    ['emoji', 6, 'ab😀'],
  ])('cuts %s at %i bytes, never within a character', async (id, bytes, text) => {
    expect((await read([id], bytes)).results).toMatchObject([{ text_truncated: text }]);
  });

  it('skips unknown ids', async () => {
    expect((await read(['nothing', 'short'])).results).toMatchObject([{ section_id: 'short' }]);
  });

  it('reads nothing for no ids', async () => {
    expect(await read([])).toMatchObject({ results: [], partial: false });
  });

  it('returns nothing outside the scope, even if the index does', async () => {
    const call = aCall({ scope: { docTags: ['guides'] } });
    expect((await read(['hidden', 'short'], 8_192, call)).results).toMatchObject([{ section_id: 'short' }]);
  });

  it('flags a text that exceeds its token share, and returns it whole', async () => {
    const { results, limit_reason, partial, meta } = await read(['long'], 32_768);
    expect(results).toMatchObject([{ bytes: 32_768 }]);
    expect({ limit_reason, partial }).toEqual({ limit_reason: 'token_cap', partial: true });
    expect(meta.usage.bytes_returned).toBeGreaterThan(32_768);
  });

  it('drops sections from the end to fit the response limit, then cuts the last one', async () => {
    const reply = await replyTo(['short', 'long']);
    const smaller = reply.build({ count: 1, maxChars: 3, reason: 'byte_cap' });
    expect(smaller).toMatchObject({
      results: [{ section_id: 'short', text_truncated: 'Sho', bytes: 3, truncated: true }],
      partial: true,
      limit_reason: 'byte_cap',
    });
  });
});
