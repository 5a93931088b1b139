import { z } from 'zod';
import { defineTool } from '../../../../src/mcp/define-tool.js';
import { fitArguments } from '../../../../src/mcp/pipeline/input.stage.js';

const place = z.strictObject({ shelf: z.string().optional(), row: z.int().optional() });
const TOOL = defineTool({
  name: 'shelf.find',
  title: 'Find',
  description: 'Finds.',
  input: z.strictObject({
    title: z.string(),
    count: z.int().default(3),
    is_new: z.boolean().default(false),
    tags: z.array(z.string()).default([]),
    place: place.optional(),
    size: z.strictObject({ height: z.int().optional() }).optional(),
    weight: z.strictObject({ height: z.int().optional() }).optional(),
    places: z.array(place).optional(),
    cursor: z.string().nullable().optional(),
    note: z.string().optional(),
  }),
  output: z.strictObject({}),
  feature: 'kb',
  isCore: true,
  permission: 'read',
  budget: { bytes: 1, tokens: 1 },
  rendering: { full: () => '', summary: () => '' },
});

describe('fitArguments', () => {
  it.each<[string, object, object]>([
    ['null', { count: null, place: null }, {}],
    ['null at a lower level', { place: { shelf: null, row: 1 } }, { place: { row: 1 } }],
    ['null in an object of a list', { places: [{ row: null }] }, { places: [{}] }],
    ['the text of null for a number', { count: 'null' }, {}],
  ])('leaves out %s', (_, args, fitted) => {
    expect(fitArguments(TOOL, args)).toEqual(fitted);
  });

  it.each<[string, object, object]>([
    ['a number', { count: '12' }, { count: 12 }],
    ['a truth value', { is_new: 'true' }, { is_new: true }],
    ['a truth value as Python writes it', { is_new: 'True' }, { is_new: true }],
    ['a list', { tags: '["a", "b"]' }, { tags: ['a', 'b'] }],
    ['an object', { place: '{"shelf": "A", "row": "4"}' }, { place: { shelf: 'A', row: 4 } }],
    ['a list of objects', { places: '[{"row": 1}]' }, { places: [{ row: 1 }] }],
    ['objects in a list', { places: ['{"row": 1}'] }, { places: [{ row: 1 }] }],
  ])('reads the text of %s', (_, args, fitted) => {
    expect(fitArguments(TOOL, args)).toEqual(fitted);
  });

  it.each<[string, object, object]>([
    ['text', { tags: 'red, large' }, { tags: ['red, large'] }],
    ['object', { places: { row: 1 } }, { places: [{ row: 1 }] }],
    ['object as text', { places: '{"row": 1}' }, { places: [{ row: 1 }] }],
  ])('makes a list of a single %s', (_, args, fitted) => {
    expect(fitArguments(TOOL, args)).toEqual(fitted);
  });

  it.each<[string, object, object]>([
    ['alone', { shelf: 'A' }, { place: { shelf: 'A' } }],
    ['beside others of the object', { row: '4', place: { shelf: 'A' } }, { place: { shelf: 'A', row: 4 } }],
    ['as null', { row: null }, { place: {} }],
  ])('moves a field of one object that stands beside it into the object: %s', (_, args, fitted) => {
    expect(fitArguments(TOOL, args)).toEqual(fitted);
  });

  it.each<[string, object]>([
    ['a field that is in its object too', { row: 1, place: { row: 2 } }],
    ['a field of two objects', { height: 1 }],
    ['a field of an object that has another type', { row: 1, place: 'here' }],
    ['null in a field that may be null', { cursor: null }],
    ['null in a required field', { title: null }],
    ['null in a list', { tags: [null] }],
    ['null in an unknown field', { colour: null }],
    ['JSON in a field for texts', { title: '["a"]', note: 'null', cursor: '5' }],
    ['a text that is no number', { count: 'three' }],
    ['a number that is too large', { count: '1e999' }],
    ['a list that is not complete', { tags: '["a", "b' }],
    ['an empty text for a list', { tags: ' ' }],
    ['a number for a text', { title: 5 }],
    ['JSON with more levels than a message may have', { tags: `${'['.repeat(99)}${']'.repeat(99)}` }],
    ['a text that is no object', { place: 'shelf A' }],
  ])('leaves %s as it is', (_, args) => {
    expect(fitArguments(TOOL, args)).toEqual(args);
  });

  it('leaves the arguments of tools of providers as they are', () => {
    const args = { count: '12', place: null };
    expect(fitArguments({ ...TOOL, feature: 'provider' }, args)).toBe(args);
  });
});
