import { KeyRing } from '../../../../src/engines/redis/key-ring.js';
import { BORN_BYTES, openPassage, sealPassage } from '../../../../src/engines/redis/sealed-passages.js';
import { anOwner, aPassage } from '../../../support/builders.js';

const keys = new KeyRing(['a key for tests, of more than 32 characters']);
const place = { owner: anOwner(), name: 'session.passage' };
const kept = { id: 'an id', passage: aPassage({ text: 'A secret text.', title: 'A secret title' }) };

describe('a sealed passage', () => {
  it('opens where it was sealed for, with all that it had', () => {
    expect(openPassage(keys, place, sealPassage(keys, place, kept))).toEqual(kept);
  });

  it('shows neither text, title, ids nor times', () => {
    const record = sealPassage(keys, place, kept).toString('latin1');
    for (const word of ['secret', 'an id', 'guide', 'docs', '2026']) expect(record).not.toContain(word);
  });

  it.each([
    ['session', { ...place, owner: anOwner('another') }],
    ['project', { ...place, owner: anOwner('session', { projectId: 'another' }) }],
    ['environment', { ...place, owner: anOwner('session', { environment: 'another' }) }],
    ['name', { ...place, name: 'session.another' }],
  ])('does not open for another %s', (_, elsewhere) => {
    expect(openPassage(keys, elsewhere, sealPassage(keys, place, kept))).toBeNull();
  });

  it('takes the time of creation from its first part, which has the same length whatever it holds', () => {
    const older = sealPassage(keys, place, {
      ...kept,
      passage: aPassage({ createdAt: '2025-05-05T05:05:05.005Z' }),
    });
    const newer = sealPassage(keys, place, kept);
    const both = Buffer.concat([older.subarray(0, BORN_BYTES), newer.subarray(BORN_BYTES)]);
    expect(openPassage(keys, place, both)).toEqual({
      ...kept,
      passage: { ...kept.passage, createdAt: '2025-05-05T05:05:05.005Z' },
    });
  });

  it('is not misled by parts in each other’s place', () => {
    const record = sealPassage(keys, place, kept);
    const swapped = Buffer.concat([record.subarray(BORN_BYTES), record.subarray(0, BORN_BYTES)]);
    expect(openPassage(keys, place, swapped)).toBeNull();
    const twice = Buffer.concat([record.subarray(0, BORN_BYTES), record.subarray(0, BORN_BYTES)]);
    expect(openPassage(keys, place, twice)).toBeNull();
  });

  it('counts one of a shape that we do not know as none', () => {
    // As another version might have written it.
    const foreign = JSON.parse(JSON.stringify({ id: 'an id', passage: { ...aPassage(), text: undefined } }));
    expect(openPassage(keys, place, sealPassage(keys, place, foreign))).toBeNull();
  });
});
