import { parseSettings } from '../../../../src/ingest/reading/written-yaml.js';
import { cpuMsOf } from '../../../support/growth.js';

const nested = (mark: string): string =>
  Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}${mark}`).join('\n');

describe('parseSettings', () => {
  it.each([
    ['keys', '? '.repeat(400)],
    ['keys in lists', '- ? '.repeat(200)],
    ['keys in brackets', '[? '.repeat(300)],
    ['keys in brackets on lines of their own', '[\n?\n'.repeat(300)],
    ['keys on lines of their own', nested('?')],
    ['lists and keys on lines of their own', nested('- ?')],
    ['brackets', '['.repeat(100_000)],
    ['maps', '{a: '.repeat(30_000)],
  ])('refuses many nested %s at once', async (_, text) => {
    const ms = await cpuMsOf(() => expect(() => parseSettings(text)).toThrow('nested too deeply'));
    expect(ms).toBeLessThan(200);
  });

  it('reads questions and brackets that are not nested', () => {
    const text = `a: [{b: 1}]\n? c d\n: 2\n${'e: Vraiment ? [oui] {non}\n'.repeat(100)}`;
    expect(parseSettings(text)).toEqual({ a: [{ b: 1 }], 'c d': 2, e: 'Vraiment ? [oui] {non}' });
  });
});
