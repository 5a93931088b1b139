import { z } from 'zod';
import { invalidInput } from '../../../src/mcp/invalid-input.js';

const SCHEMA = z.strictObject({
  question: z.string().min(1).max(10),
  options: z.strictObject({ max_per_doc: z.int().min(1).max(10) }).optional(),
  keywords: z.array(z.string().max(3)).optional(),
});
function refusalOf(input: unknown) {
  const { error } = SCHEMA.safeParse(input);
  return error ? invalidInput(error) : null;
}

describe('invalidInput', () => {
  it.each<[string, unknown, string, string]>([
    ['an unknown field', { question: 'a', colour: 'red' }, 'unknown_field', ''],
    [
      'an unknown option',
      { question: 'a', options: { max_per_doc: 1, colour: 'red' } },
      'unknown_field',
      'options',
    ],
    ['a missing field', {}, 'invalid_input', 'question'],
    [
      'a field out of bounds',
      { question: 'a', options: { max_per_doc: 11 } },
      'invalid_input',
      'options.max_per_doc',
    ],
    ['an item of a list', { question: 'a', keywords: ['abc', 'abcd'] }, 'invalid_input', 'keywords.1'],
    ['no object at all', 'text', 'invalid_input', ''],
  ])('names where %s is', (_, input, reason, path) => {
    expect(refusalOf(input)).toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason,
      details: { issues: [{ path, problem: expect.any(String) }] },
    });
  });

  it('calls it invalid input when there is more than unknown fields', () => {
    expect(refusalOf({ colour: 'red' })).toMatchObject({ reason: 'invalid_input' });
  });

  it('names an unknown field in its text', () => {
    expect(refusalOf({ question: 'a', colour: 'red' })?.message).toContain('colour');
  });

  it('stays short, however wrong the input is', () => {
    const keywords = Array.from({ length: 1_000 }, () => 'abcd');
    const refusal = refusalOf({ question: 'a', keywords, ['x'.repeat(10_000)]: 1 });
    expect(JSON.stringify([refusal?.message, refusal?.details]).length).toBeLessThan(6_000);
    expect(refusal?.details['issues']).toHaveLength(8);
  });
});
