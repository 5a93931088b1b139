import { createHash } from 'node:crypto';
import { entryName, memberName } from '../../../src/mcp/principals.js';

describe('memberName', () => {
  it('keeps plain values', () => {
    expect(memberName('people', 'ada@harbour.example')).toBe('people:ada@harbour.example');
  });

  it('gives no two values one name', () => {
    const digest = createHash('sha256').update('Ada Lovelace').digest('base64url');
    const names = ['Ada Lovelace', digest, `~${digest}`, 'a'.repeat(129), 'ä', '~'].map((value) =>
      memberName('people', value),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^people:[\x21-\x7e]{1,128}$/);
  });

  it('belongs to its entry', () => {
    expect(['people:ada', 'people:a:b', 'people'].map(entryName)).toEqual(['people', 'people', 'people']);
  });
});
