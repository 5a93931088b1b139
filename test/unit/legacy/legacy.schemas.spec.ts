import { legacyIdSchema, sessionIdSchema } from '../../../src/legacy/legacy.schemas.js';
import { legacyFiltersSchema } from '../../../src/legacy/tools/search-sections.js';

describe.each([
  ['an id', (id: string) => legacyIdSchema.safeParse(id)],
  ['a session_id', (id: string) => sessionIdSchema.safeParse(id)],
  ['a document_id', (id: string) => legacyFiltersSchema.safeParse({ document_id: id })],
])('%s of an older tool', (_, parse) => {
  it.each([
    ['1,024 bytes', 'x'.repeat(1_024), true],
    ['1,024 bytes of two for each character', 'ä'.repeat(512), true],
    ['1,025 bytes', 'x'.repeat(1_025), false],
    ['1,026 bytes of two for each character', 'ä'.repeat(513), false],
    ['nothing', '', true],
  ])('is accepted up to 1,024 bytes: %s', (_size, id, isTaken) => {
    expect(parse(id).success).toBe(isTaken);
  });
});
