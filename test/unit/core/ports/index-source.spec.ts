import { type IndexedManifest, readSourceLine, sourceLine } from '../../../../src/core/ports/index-source.js';

const manifestSha256 = 'a'.repeat(64);
const pointer = { namespace: 'default', name: 'hand.book-2', version: 12 };

describe('the source of an index', () => {
  it.each<IndexedManifest>([
    { kind: 'manifest', manifestSha256, pointer: null },
    { kind: 'manifest', manifestSha256, pointer },
  ])('is stored as one line and read back: %j', (source) => {
    expect(readSourceLine(sourceLine(source))).toEqual(source);
  });

  it.each(['/srv/docs', 'C:\\docs', '/srv/manifest:1', `/x/manifest:${manifestSha256}`])(
    'is a folder for the path %s',
    (path) => expect(readSourceLine(path)).toEqual({ kind: 'folder', path }),
  );
});
