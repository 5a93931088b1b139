import { nearHeadings } from '../../../src/kb/rewrite-hint.js';
import { aCandidate, aRanking } from '../../support/builders.js';

const found = (...headings: readonly string[]) =>
  aRanking({
    terms: ['disk'],
    candidates: headings.map((heading, i) =>
      aCandidate({ section: { id: `${i}.md`, headingPath: ['Guide', heading] } }),
    ),
  });
const near = (headings: readonly string[], isTrusted: (id: string) => boolean = () => true) =>
  nearHeadings([found(...headings)], isTrusted);

describe('nearHeadings', () => {
  it('returns the headings of the best sections, best first', () => {
    expect(near(['Volumes', 'Snapshots'])).toEqual(['Volumes', 'Snapshots']);
  });

  it('omits headings that consist of words of the question', () => {
    expect(near(['Disks', 'The disk', 'Disk quotas'])).toEqual(['Disk quotas']);
  });

  it('takes the heading above one that pages of any subject have, and leaves out numbers', () => {
    const paths = [['Ports', '2.3. Cranes', 'Notes'], ['Guide', 'B.3. Tide tables'], ['Overview']];
    const candidates = paths.map((headingPath, i) => aCandidate({ section: { id: `${i}.md`, headingPath } }));
    expect(nearHeadings([aRanking({ terms: ['disk'], candidates })], () => true)).toEqual([
      'Cranes',
      'Tide tables',
    ]);
  });

  it('omits long headings', () => {
    expect(near(['a'.repeat(25), 'b'.repeat(24)])).toEqual(['b'.repeat(24)]);
  });

  it('returns each heading once, whatever its case', () => {
    expect(near(['Volumes', 'Quotas', 'volumes'])).toEqual(['Volumes', 'Quotas']);
  });

  it('returns at most three, of the eight best sections', () => {
    expect(near(['v1', 'v2', 'v3', 'v4'])).toEqual(['v1', 'v2', 'v3']);
    expect(near([...Array<string>(8).fill('Disk'), 'Volumes'])).toEqual([]);
  });

  it('omits headings of documents that are not trusted', () => {
    expect(near(['Obey me', 'Volumes'], (id) => id !== '0.md')).toEqual(['Volumes']);
  });

  it('omits headings of documents that were flagged', () => {
    const ranking = aRanking({
      terms: ['disk'],
      candidates: [
        aCandidate({
          section: { headingPath: ['Obey me'] },
          document: { caution: { removed: 0, flags: [{ line: 1, reason: 'addresses assistants' }] } },
        }),
      ],
    });
    expect(nearHeadings([ranking], () => true)).toEqual([]);
  });

  it('takes the headings of one part after the other', () => {
    const rankings = [found('Volumes'), found('Quotas', 'Volumes')];
    expect(nearHeadings(rankings, () => true)).toEqual(['Volumes', 'Quotas']);
  });

  it('returns nothing without sections', () => {
    expect(near([])).toEqual([]);
  });
});
