// npm run structure: prints the measures of the source tree. The architecture tests hold the limits. With `-- --list WORD`
// it lists what the measures whose name contains the word count; without a word, what all count.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  commentsBeginning,
  duplicateExports,
  folderImports,
  foldersInCycles,
  levelSizes,
  longestChain,
  readSources,
  siblingImports,
} from './source-tree.mjs';
import { MEASURES, reportLines } from './structure-limits.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const files = readSources(join(root, 'src'));
const graph = folderImports(files);
const cycles = foldersInCycles(graph);
const chain = cycles.length === 0 ? longestChain(graph).filter(Boolean) : [];
const largest = levelSizes(files).slice(0, 5);
const duplicates = duplicateExports(files);

const rows = [
  ['folders in import cycles, types included', cycles.join(', ') || 'none'],
  [
    'subfolders in import cycles, types included',
    foldersInCycles(siblingImports(files)).join(', ') || 'none',
  ],
  ['longest chain of folders', `${chain.length}: ${chain.join(' → ')}`],
  [
    'largest levels',
    largest
      .map((level) => `${level.folder || '(root)'} ${level.files} files, ${level.folders} folders`)
      .join('; '),
  ],
  ['names exported twice', `${duplicates.length}: ${duplicates.map(({ name }) => name).join(', ')}`],
  ['comments that begin with "What"', commentsBeginning(files, 'What')],
  ['comments that begin with "Whether"', commentsBeginning(files, 'Whether')],
];
for (const [name, value] of rows) console.log(`${name}: ${value}`);
for (const line of reportLines(MEASURES, { root, files }, process.argv.slice(2))) console.log(line);
