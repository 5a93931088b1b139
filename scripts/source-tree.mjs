// Reads the sources as a tree of folders and imports, for `npm run structure` and the architecture tests.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

/**
 * @typedef {object} SourceFile
 * @property {string} path  relative to the folder, with forward slashes
 * @property {string} text
 * @property {string[]} imports  imported project files, relative to the folder; type-only imports excluded
 * @property {string[]} typeImports  the same for type-only imports
 * @property {string[]} packages  imported packages, type-only imports included
 */

const IMPORT = /^(?:import|export) (type )?[^;]*? from '([^']+)';|import\('([^']+)'\)/gms;
const EXPORT = /^export (?:abstract |async |declare )*(?:class|function|const|type|interface|enum) (\w+)/gm;

const slashed = (path) => path.split(sep).join('/');

/** @returns {SourceFile} */
function readSource(root, path) {
  const text = readFileSync(join(root, path), 'utf8');
  const found = [...text.matchAll(IMPORT)].map(([, type, from, called]) => ({ type, to: from ?? called }));
  const own = found.filter(({ to }) => to.startsWith('.'));
  const resolved = ({ to }) => slashed(normalize(join(dirname(path), to))).replace(/\.js$/, '.ts');
  return {
    path,
    text,
    imports: own.filter(({ type }) => !type).map(resolved),
    typeImports: own.filter(({ type }) => type).map(resolved),
    packages: found.map(({ to }) => to).filter((to) => !to.startsWith('.')),
  };
}

/**
 * Reads every TypeScript file below a folder; declaration files excluded.
 * @param {string} root
 * @returns {SourceFile[]} by path
 */
export function readSources(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.ts$/.test(entry.name))
    .map((entry) => slashed(relative(root, join(entry.parentPath ?? entry.path, entry.name))))
    .sort()
    .map((path) => readSource(root, path));
}

/**
 * The top-level folder of a file; empty for files in the root.
 * @param {string} path
 */
export const folderOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

/**
 * The imports of each top-level folder, types included.
 * @param {readonly SourceFile[]} files
 * @returns {Map<string, Set<string>>}
 */
export function folderImports(files) {
  const graph = new Map(files.map(({ path }) => [folderOf(path), new Set()]));
  for (const { path, imports, typeImports } of files) {
    const from = folderOf(path);
    for (const target of [...imports, ...typeImports])
      if (folderOf(target) !== from) graph.get(from).add(folderOf(target));
  }
  return graph;
}

/**
 * Which subfolders of the same folder import from each other, types included, at any depth.
 * @param {readonly SourceFile[]} files
 * @returns {Map<string, Set<string>>} by path of the subfolder
 */
export function siblingImports(files) {
  const graph = new Map();
  for (const { path, imports, typeImports } of files) {
    const from = path.split('/').slice(0, -1);
    for (const target of [...imports, ...typeImports]) {
      const to = target.split('/').slice(0, -1);
      const depth = from.findIndex((part, i) => part !== to[i]);
      if (depth < 0 || depth >= to.length) continue;
      const [importer, imported] = [from, to].map((parts) => parts.slice(0, depth + 1).join('/'));
      graph.set(importer, (graph.get(importer) ?? new Set()).add(imported));
    }
  }
  return graph;
}

/**
 * Folders that can be reached from themselves.
 * @param {Map<string, Set<string>>} graph
 */
export function foldersInCycles(graph) {
  const reaches = (from, wanted, seen = new Set()) =>
    [...(graph.get(from) ?? [])].some((next) => {
      if (next === wanted) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, wanted, seen);
    });
  return [...graph.keys()].filter((folder) => reaches(folder, folder)).sort();
}

/**
 * The longest path through a graph without cycles, importers first.
 * @param {Map<string, Set<string>>} graph
 * @returns {string[]}
 */
export function longestChain(graph) {
  const known = new Map();
  const from = (folder) => {
    if (!known.has(folder)) {
      const below = [...(graph.get(folder) ?? [])].sort().map(from);
      known.set(
        folder,
        below.reduce((best, path) => (path.length + 1 > best.length ? [folder, ...path] : best), [folder]),
      );
    }
    return known.get(folder);
  };
  return [...graph.keys()].sort().reduce((best, folder) => {
    const path = from(folder);
    return path.length > best.length ? path : best;
  }, []);
}

/**
 * Number of files and of folders on each level.
 * @param {readonly SourceFile[]} files
 * @returns {{ folder: string, files: number, folders: number }[]} largest first
 */
export function levelSizes(files) {
  const levels = new Map();
  const level = (folder) =>
    levels.get(folder) ?? levels.set(folder, { files: new Set(), folders: new Set() }).get(folder);
  for (const { path } of files) {
    const parts = path.split('/');
    level(parts.slice(0, -1).join('/')).files.add(path);
    for (let i = 1; i < parts.length; i++) level(parts.slice(0, i - 1).join('/')).folders.add(parts[i - 1]);
  }
  return [...levels]
    .map(([folder, level]) => ({ folder, files: level.files.size, folders: level.folders.size }))
    .sort((a, b) => b.files + b.folders - a.files - a.folders || (a.folder < b.folder ? -1 : 1));
}

/**
 * Names that several files export.
 * @param {readonly SourceFile[]} files
 * @returns {{ name: string, paths: string[] }[]} by name
 */
export function duplicateExports(files) {
  const paths = new Map();
  for (const { path, text } of files)
    for (const name of new Set([...text.matchAll(EXPORT)].map((match) => match[1])))
      paths.set(name, [...(paths.get(name) ?? []), path]);
  return [...paths]
    .filter(([, found]) => found.length > 1)
    .map(([name, found]) => ({ name, paths: found }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Number of comments that begin with a word.
 * @param {readonly SourceFile[]} files
 * @param {string} word
 */
export function commentsBeginning(files, word) {
  const comment = new RegExp(String.raw`^\s*(?:/\*\*|//|\*) ${word}\b`, 'gm');
  return files.reduce((sum, { text }) => sum + [...text.matchAll(comment)].length, 0);
}

const HEADER = /^\/\/ src\/([\w/-]+): (.+)\n/;

/**
 * Reads the description of each folder, from the first line of one file in it: `// src/FOLDER: SENTENCE`.
 * @param {readonly SourceFile[]} files
 * @returns {{ folder: string, holds: string }[]} by path of the file
 */
export function folderHeaders(files) {
  return files.flatMap(({ text }) => {
    const header = HEADER.exec(text);
    return header ? [{ folder: header[1], holds: header[2] }] : [];
  });
}

/** Length of the longest path of imports below each folder. */
function heights(graph) {
  const known = new Map();
  const height = (folder) => {
    if (!known.has(folder))
      known.set(folder, Math.max(0, ...[...(graph.get(folder) ?? [])].map((below) => height(below) + 1)));
    return known.get(folder);
  };
  for (const folder of graph.keys()) height(folder);
  return known;
}

/**
 * The top-level folders as a Markdown table, importers first.
 * @param {readonly SourceFile[]} files  without cycles between folders
 */
export function foldersTable(files) {
  const graph = folderImports(files);
  const height = heights(graph);
  const rows = folderHeaders(files)
    .filter(({ folder }) => !folder.includes('/'))
    .sort((a, b) => height.get(b.folder) - height.get(a.folder) || (a.folder < b.folder ? -1 : 1))
    .map(
      ({ folder, holds }) =>
        `| \`${folder}/\` | ${holds} | ${[...graph.get(folder)].sort().join(', ') || '–'} |`,
    );
  return ['| Folder | Holds | Imports |', '| --- | --- | --- |', ...rows].join('\n');
}
