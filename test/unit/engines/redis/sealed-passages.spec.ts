import { KeyRing } from '../../../../src/engines/redis/key-ring.js';
import { BORN_BYTES, openPassage, sealPassage } from '../../../../src/engines/redis/sealed-passages.js';
import { anOwner, aPassage } from '../../../support/builders.js';

const keys = new KeyRing(['a key for tests, of more than 32 characters']);
const place = { owner: anOwner(), name: 'session.passage' };
const kept = { id: 'an id', passage: aPassage({ text: 'A secret text.', title: 'A secret title' }) };

describe('an encrypted passage', () => {
  it('is decrypted completely for its own place', () => {
    expect(openPassage(keys, place, sealPassage(keys, place, kept))).toEqual(kept);
  });

  it('keeps what its readers have to know about its document', () => {
    const passage = aPassage({ removed: 2, isUntrusted: true, artifact: 'a'.repeat(64), corpus: 'birds' });
    const opened = openPassage(keys, place, sealPassage(keys, place, { ...kept, passage }));
    expect(opened?.passage).toEqual(passage);
  });

  it('reveals neither text, title, ids nor times', () => {
    const record = sealPassage(keys, place, kept).toString('latin1');
    for (const word of ['secret', 'an id', 'guide', 'docs', '2026']) expect(record).not.toContain(word);
  });

  it.each([
    ['session', { ...place, owner: anOwner('another') }],
    ['project', { ...place, owner: anOwner('session', { projectId: 'another' }) }],
    ['environment', { ...place, owner: anOwner('session', { environment: 'another' }) }],
    ['name', { ...place, name: 'session.another' }],
  ])('is not decrypted for another %s', (_, elsewhere) => {
    expect(openPassage(keys, elsewhere, sealPassage(keys, place, kept))).toBeNull();
  });

  it('uses the creation time of its first part, whose length is fixed', () => {
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

  it('is refused if its parts are swapped', () => {
    const record = sealPassage(keys, place, kept);
    const swapped = Buffer.concat([record.subarray(BORN_BYTES), record.subarray(0, BORN_BYTES)]);
    expect(openPassage(keys, place, swapped)).toBeNull();
    const twice = Buffer.concat([record.subarray(0, BORN_BYTES), record.subarray(0, BORN_BYTES)]);
    expect(openPassage(keys, place, twice)).toBeNull();
  });

  it('is treated as missing if its format is unknown', () => {
    // Another version may have written it.
    const foreign = JSON.parse(JSON.stringify({ id: 'an id', passage: { ...aPassage(), text: undefined } }));
    expect(openPassage(keys, place, sealPassage(keys, place, foreign))).toBeNull();
  });
});
