import { join } from 'node:path';
import { readSources } from '../scripts/source-tree.mjs';
import { complaint, MEASURES } from '../scripts/structure-limits.mjs';

const root = join(__dirname, '..');
const tree = { root, files: readSources(join(root, 'src')) };

// The message says what to do. A limit is raised only for a reason that the commit gives.
describe('the limits of the structure', () => {
  it.each(MEASURES)('holds: $name, at most $limit', (measure) => {
    expect(complaint(measure, tree)).toBeNull();
  });
});
