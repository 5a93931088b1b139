// Measures of the sources that the plan of the tree is held to: walls between folders, nouns in few folders, few small files.
import { dirname } from 'node:path/posix';
import { folderOf } from './source-tree.mjs';

/** @typedef {import('./source-tree.mjs').SourceFile} SourceFile */

/** The folders of features. Everything else answers, shows (the shells) or puts together (the root). */
const FEATURES = ['governance', 'work', 'engines', 'legacy', 'langgraph'];
/** They show the commands and pages that features bring. */
const SHELLS = ['cli', 'admin'];

/**
 * The feature that a file belongs to.
 * @param {string} path
 * @returns {string | null}
 */
export const featureOf = (path) => FEATURES.find((folder) => folderOf(path) === folder) ?? null;

/**
 * The side of the walls that a file is on; null for files in the root, which may import everything.
 * @param {string} path
 * @returns {'feature' | 'shell' | 'answering' | null}
 */
export function sideOf(path) {
  if (featureOf(path) !== null) return 'feature';
  if (folderOf(path) === '') return null;
  return SHELLS.includes(folderOf(path)) ? 'shell' : 'answering';
}

const importsOf = ({ imports, typeImports }) => [...new Set([...imports, ...typeImports])];

/**
 * Imports from one side into a feature, types included.
 * @param {readonly SourceFile[]} files
 * @param {'shell' | 'answering'} side
 * @param {string} feature
 * @returns {string[]} `importer -> imported`
 */
export function importsAcross(files, side, feature) {
  return files
    .filter(({ path }) => sideOf(path) === side)
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => featureOf(target) === feature)
        .map((target) => `${file.path} -> ${target}`),
    );
}

/**
 * Files whose path has a noun, in the singular or plural, as a word of a folder or a file. The role `*.schemas.ts` is no noun.
 * @param {readonly SourceFile[]} files
 * @param {string} noun
 * @returns {SourceFile[]}
 */
export function filesNamed(files, noun) {
  const plural = noun === 'corpus' ? 'corpora' : `${noun}s`;
  const word = new RegExp(`(?:^|[/.-])(?:${noun}|${plural})(?=[/.-])`);
  return files.filter(({ path }) => word.test(path.replace(/\.schemas\.ts$/, '.ts')));
}

/** @param {readonly { path: string }[]} files */
export const topFolders = (files) => [...new Set(files.map(({ path }) => folderOf(path)))].sort();

/** @param {{ text: string }} file */
export const linesOf = ({ text }) => text.split('\n').length - 1;

/**
 * Files with fewer lines whose only importer, types included, is in the same folder.
 * @param {readonly SourceFile[]} files
 * @param {number} lines
 * @returns {{ path: string, lines: number, importer: string }[]}
 */
export function smallFiles(files, lines) {
  const importers = new Map();
  for (const file of files)
    for (const target of importsOf(file))
      importers.set(target, [...(importers.get(target) ?? []), file.path]);
  return files.flatMap((file) => {
    const [importer, ...others] = importers.get(file.path) ?? [];
    const isSmall = linesOf(file) < lines && importer !== undefined && others.length === 0;
    return isSmall && dirname(importer) === dirname(file.path)
      ? [{ path: file.path, lines: linesOf(file), importer }]
      : [];
  });
}

const CLASS = /^(?:export )?(abstract )?class (\w+)([^{]*)\{/gm;

/** Every class with the names that it extends and implements, also as `implements Synchronous<Name>`. */
function classesIn(files) {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(CLASS)].map(([, abstract, name, head]) => ({
      path,
      name,
      isAbstract: abstract !== undefined,
      parents: (/\b(?:extends|implements)\b.*/s.exec(head)?.[0] ?? '').match(/\w+/g) ?? [],
    })),
  );
}

/**
 * The ports, which are the abstract classes in `core/ports` and in files named `*.port.ts`, with the classes that extend
 * or implement them directly or through an abstract class.
 * @param {readonly SourceFile[]} files
 * @returns {{ port: string, path: string, implementations: string[] }[]}
 */
export function portsOf(files) {
  const classes = classesIn(files);
  const below = (name) =>
    classes
      .filter(({ parents }) => parents.includes(name))
      .flatMap((found) => [...(found.isAbstract ? [] : [found.name]), ...below(found.name)]);
  return classes
    .filter(
      ({ path, isAbstract }) => isAbstract && (path.startsWith('core/ports/') || path.endsWith('.port.ts')),
    )
    .map(({ name, path }) => ({ port: name, path, implementations: [...new Set(below(name))].sort() }));
}

/** A field of an interface as Prettier writes it. */
const FIELD = /^ {2}(readonly )?(\w+)\??: (.*)$/gm;
/** Types whose values can be changed in place. */
const CHANGEABLE = /^(?:Record|Partial<Record|Map|Set)<|^(?!readonly )\S+\[\];/;

/** The fields of `Trace`, the record of one call. */
function fieldsOfTrace(files) {
  const traces = files.flatMap(
    ({ text }) => /^export interface Trace \{\n([\s\S]*?)^\}/m.exec(text)?.[1] ?? [],
  );
  return traces.flatMap((body) =>
    [...body.matchAll(FIELD)].map(([, readonly, name, type]) => ({
      name,
      isMutable: readonly === undefined || CHANGEABLE.test(type),
    })),
  );
}

/**
 * The fields of the trace of a call that can be written, or whose value can be.
 * @param {readonly SourceFile[]} files
 * @returns {string[]}
 */
export const mutableTraceFields = (files) =>
  fieldsOfTrace(files)
    .filter(({ isMutable }) => isMutable)
    .map(({ name }) => name);

/**
 * The files that read or write the trace of a call, or pass it on.
 * @param {readonly SourceFile[]} files
 * @returns {string[]}
 */
export function filesOfTrace(files) {
  const names = fieldsOfTrace(files).map(({ name }) => name);
  if (names.length === 0) return [];
  const touch = new RegExp(String.raw`\.trace\b|\btrace\??\.(?:${names.join('|')})\b|\} = trace;`);
  return files.filter(({ text }) => touch.test(text)).map(({ path }) => path);
}

const DECLARED_OF = /\b(?:function|const|let|class|interface|type) (\w+Of)\b/g;

/**
 * The declared names that end in `Of`, each once.
 * @param {readonly SourceFile[]} files
 * @returns {string[]}
 */
export const namesEndingInOf = (files) =>
  [...new Set(files.flatMap(({ text }) => [...text.matchAll(DECLARED_OF)].map(([, name]) => name)))].sort();
