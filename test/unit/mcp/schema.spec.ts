import { z } from 'zod';
import { COPIED, inputJsonSchema } from '../../../src/mcp/schema.js';

describe('inputJsonSchema', () => {
  it('tells the bounds of what callers write', () => {
    expect(inputJsonSchema(z.strictObject({ words: z.array(z.string().max(80)).max(8) }))).toMatchObject({
      properties: { words: { maxItems: 8, items: { maxLength: 80 } } },
    });
  });

  it('keeps to itself how long what callers copy may be', () => {
    const id = z.string().max(128).meta(COPIED);
    const input = z.strictObject({ ids: z.array(id).max(64).meta(COPIED), id: id.nullable().optional() });
    expect(inputJsonSchema(input)).toEqual({
      type: 'object',
      properties: {
        ids: { type: 'array', items: { type: 'string' } },
        id: { type: ['string', 'null'] },
      },
      required: ['ids'],
      additionalProperties: false,
    });
    expect(input.safeParse({ ids: [], id: 'x'.repeat(129) }).success).toBe(false);
  });
});
