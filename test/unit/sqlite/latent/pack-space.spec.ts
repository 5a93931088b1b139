import { BackendUnavailableError } from '../../../../src/core/errors.js';
import { fitLatentSpace } from '../../../../src/sqlite/latent/latent-space.js';
import { packSpace, parseSpace } from '../../../../src/sqlite/latent/pack-space.js';

const space = fitLatentSpace([['Ähre', 'gold'], ['Ähre', 'gold', '稲'], ['稲'], ['x'], ['y'], ['\ud800']]);
const packed = packSpace(space);
const changed = (at: number, value: number): Uint8Array => packed.with(at, value);

describe('parseSpace', () => {
  it('restores a packed space', () => {
    expect(space.dimensions).toBe(3);
    expect(parseSpace(packed)).toEqual(space);
  });

  it('restores an empty space', () => {
    expect(parseSpace(packSpace(fitLatentSpace([])))).toEqual(fitLatentSpace([]));
  });

  it('reads bytes at any offset of a larger buffer, and copies them', () => {
    const around = new Uint8Array(packed.length + 1);
    around.set(packed, 1);
    const parsed = parseSpace(around.subarray(1));
    around.fill(0);
    expect(parsed).toEqual(space);
  });

  it.each<[string, Uint8Array, string]>([
    ['no bytes', new Uint8Array(0), 'unknown format'],
    ['foreign bytes', new TextEncoder().encode('SQLite format 3, and so on'), 'unknown format'],
    ['another version', changed(4, 99), 'version 99'],
    ['truncated bytes', packed.slice(0, -1), 'bytes instead of'],
    ['bytes truncated within the header', packed.slice(0, 19), 'unknown format'],
    ['other dimensions', changed(8, 4), 'bytes instead of'],
    ['a changed weight', changed(21, 7), 'checksum does not match'],
    ['a changed term', changed(packed.length - 8, 7), 'checksum does not match'],
    ['a changed checksum', changed(packed.length - 1, 7), 'checksum does not match'],
  ])('refuses %s', (_, bytes, why) => {
    const parse = (): unknown => parseSpace(bytes);
    expect(parse).toThrow(BackendUnavailableError);
    expect(parse).toThrow(why);
  });
});
