import { z } from 'zod';
import { invalidInput } from '../../../src/mcp/invalid-input.js';

const SCHEMA = z.strictObject({
  question: z.string().min(1).max(10),
  options: z.strictObject({ max_per_doc: z.int().min(1).max(10) }).optional(),
  keywords: z.array(z.string().max(3)).optional(),
});
function refusalOf(input: unknown) {
  const { error } = SCHEMA.safeParse(input);
  return error ? invalidInput(error, { schema: SCHEMA, value: input }) : null;
}

describe('invalidInput', () => {
  it.each<[string, unknown, string, string]>([
    ['an unknown field', { question: 'a', colour: 'red' }, 'unknown_field', 'colour'],
    [
      'an unknown option',
      { question: 'a', options: { max_per_doc: 1, colour: 'red' } },
      'unknown_field',
      'options.colour',
    ],
    ['a missing field', {}, 'invalid_input', 'question'],
    [
      'a field out of bounds',
      { question: 'a', options: { max_per_doc: 11 } },
      'invalid_input',
      'options.max_per_doc',
    ],
    ['an item of a list', { question: 'a', keywords: ['abc', 'abcd'] }, 'invalid_input', 'keywords.1'],
    ['an input that is not an object', 'text', 'invalid_input', ''],
  ])('names the path of %s', (_, input, reason, path) => {
    expect(refusalOf(input)).toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason,
      details: { issues: [{ path, problem: expect.any(String) }] },
    });
  });

  it('uses the reason invalid_input if there are other problems besides unknown fields', () => {
    expect(refusalOf({ colour: 'red' })).toMatchObject({ reason: 'invalid_input' });
  });

  it('names the field that was probably meant, and all others', () => {
    expect(refusalOf({ question: 'a', keyword: ['red'] })?.message).toBe(
      'Invalid arguments. keyword: this field is unknown. Did you mean keywords? ' +
        'Known fields: question, options, keywords.',
    );
  });

  it.each<[string, unknown, string]>([
    ['an option at the top', { question: 'a', max_per_doc: 1 }, 'options.max_per_doc'],
    [
      'another field among the options',
      { question: 'a', options: { keywords: ['b'] } },
      'keywords at the top',
    ],
  ])('says where %s belongs', (_, input, place) => {
    expect(refusalOf(input)?.message).toContain(
      `this field is unknown. Did you mean ${place}? Known fields: `,
    );
  });

  it('says what was found and what is expected, but quotes no text', () => {
    const refusal = refusalOf({ question: 5, options: 'secret' });
    expect(refusal?.message).toBe(
      'Invalid arguments. question: found 5, expected a text; options: found a text, expected a map of fields.',
    );
  });

  it('names one problem for a value of the wrong type', () => {
    const refusal = refusalOf({
      question: ['many', 'words', 'in', 'a', 'list', 'of', 'more', 'than', 'ten', '', ''],
    });
    expect(refusal?.message).toBe('Invalid arguments. question: found a list, expected a text.');
  });

  it('stays short for any input', () => {
    const keywords = Array.from({ length: 1_000 }, () => 'abcd');
    const refusal = refusalOf({ question: 'a', keywords, ['x'.repeat(10_000)]: 1 });
    expect(JSON.stringify([refusal?.message, refusal?.details]).length).toBeLessThan(6_000);
    expect(refusal?.details['issues']).toHaveLength(8);
  });

  it('takes hardly more time if a hundred thousand fields are unknown', () => {
    const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`field_${i}`, i]));
    const before = process.cpuUsage();
    expect(refusalOf({ question: 'a', ...fields })?.reason).toBe('unknown_field');
    // Reading the schema for each field took minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
