// The measures of the structure with their limits. A limit is today's number and may only fall: lower it with every change
// that lowers the number. Only a new capability raises those of lines and files. `npm run structure` and `npm run structure:call`
// print the measures; tests hold the limits.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  featureOf,
  filesNamed,
  filesOfTrace,
  importsAcross,
  linesOf,
  mutableTraceFields,
  namesEndingInOf,
  portsOf,
  smallFiles,
  topFolders,
} from './source-measures.mjs';

/**
 * @typedef {object} Tree
 * @property {string} root  folder of the project
 * @property {readonly import('./source-tree.mjs').SourceFile[]} files
 */
/**
 * @typedef {object} CallTrace
 * @property {string[]} files  executed by one call
 * @property {{ path: string, name: string }[]} functions
 */
/**
 * @template T
 * @typedef {object} Measure
 * @property {string} name
 * @property {number} limit
 * @property {number | null} goal  null if every fall is welcome
 * @property {(subject: T) => number | readonly string[]} of  the number, or the things that are counted
 * @property {string} remedy  what to do when the limit is exceeded
 */

/** Files of so few lines with one importer are read with it, and belong in it. */
const SMALL_LINES = 60;

const BRING =
  'Let the feature bring it (a stage, store, page or command of its own), or move the noun into its folder.';
const MOVE = 'Put the file where the rest of its noun is.';
const FOLD = 'Fold the file into the other files of its noun.';

const small = ({ files }) =>
  smallFiles(files, SMALL_LINES).map(({ path, lines, importer }) => `${path} (${lines}) <- ${importer}`);

const withOneClass = ({ files }) =>
  portsOf(files)
    .filter(({ implementations }) => implementations.length < 2)
    .map(({ port, path, implementations }) => `${port} (${path}): ${implementations.join(', ') || 'none'}`);

const kilobytes =
  (name) =>
  ({ root }) =>
    Math.ceil(statSync(join(root, name)).size / 1000);

/** @returns {Measure<Tree>[]} */
const intoFeatures = (side, limits) =>
  Object.entries(limits).map(([feature, limit]) => ({
    name: `imports from ${side} folders into ${feature}`,
    limit,
    goal: 0,
    of: ({ files }) => importsAcross(files, side, feature),
    remedy: BRING,
  }));

/** @returns {Measure<Tree>[]} */
function ofNoun(noun, { folders, files: fileLimit }) {
  return [
    {
      name: `top folders of ${noun}`,
      limit: folders,
      goal: 2,
      of: ({ files }) => topFolders(filesNamed(files, noun)),
      remedy: MOVE,
    },
    {
      name: `files of ${noun}`,
      limit: fileLimit,
      goal: null,
      of: ({ files }) => filesNamed(files, noun).map(({ path }) => path),
      remedy: FOLD,
    },
  ];
}

/** @type {readonly Measure<Tree>[]} */
export const MEASURES = [
  {
    name: 'lines of src',
    limit: 126_348,
    goal: 88_500,
    of: ({ files }) => files.reduce((sum, file) => sum + linesOf(file), 0),
    remedy: 'Remove what repeats before you add.',
  },
  {
    name: 'files of src',
    limit: 1_119,
    goal: 943,
    of: ({ files }) => files.length,
    remedy: 'Put new code into the file that uses it, and fold small files into their importer.',
  },
  ...intoFeatures('answering', { governance: 0, work: 0, engines: 0, legacy: 0, langgraph: 0 }),
  ...intoFeatures('shell', { governance: 0, work: 0, engines: 0, legacy: 0, langgraph: 0 }),
  ...ofNoun('approval', { folders: 2, files: 25 }),
  ...ofNoun('ledger', { folders: 2, files: 32 }),
  ...ofNoun('provider', { folders: 1, files: 28 }),
  ...ofNoun('claim', { folders: 2, files: 12 }),
  ...ofNoun('pointer', { folders: 1, files: 5 }),
  ...ofNoun('run', { folders: 5, files: 23 }),
  ...ofNoun('corpus', { folders: 6, files: 23 }),
  ...ofNoun('schema', { folders: 5, files: 13 }),
  {
    name: `files under ${SMALL_LINES} lines with one importer in the same folder`,
    limit: 16,
    goal: 29,
    of: small,
    remedy: 'Fold the file into its importer, unless its name is an idea of its own.',
  },
  {
    name: 'ports with one implementation',
    limit: 0,
    goal: 0,
    of: withOneClass,
    remedy: 'Inject the class itself until a second implementation exists.',
  },
  {
    name: 'mutable fields of call.trace',
    limit: 20,
    goal: null,
    of: ({ files }) => mutableTraceFields(files),
    remedy: 'Set what decides once, read-only, in its stage; keep only observations in the trace.',
  },
  {
    name: 'files that touch call.trace',
    limit: 36,
    goal: null,
    of: ({ files }) => filesOfTrace(files),
    remedy: 'Pass the value itself. Only stages write the trace; only diagnostics and telemetry read it.',
  },
  {
    name: 'names that end in Of',
    limit: 342,
    goal: null,
    of: ({ files }) => namesEndingInOf(files),
    remedy: 'Use the noun alone (facts) or a verb (readFacts).',
  },
  {
    name: 'README.md in KB',
    limit: 12,
    goal: 12,
    of: kilobytes('README.md'),
    remedy: 'Move details to a page in docs.',
  },
  {
    name: 'CHANGELOG.md in KB',
    limit: 4,
    goal: 4,
    of: kilobytes('CHANGELOG.md'),
    remedy: 'Say what a user of the release sees, not how it came about.',
  },
];

/** Numbers of two runs differ by a few functions, which timers call. @type {readonly Measure<CallTrace>[]} */
export const CALL_MEASURES = [
  {
    name: 'files executed by one kb.retrieve_evidence',
    limit: 94,
    goal: 95,
    of: ({ files }) => files,
    remedy: 'Fold files that only pass a call on, and let features that are off add no stage.',
  },
  {
    name: 'files of governance executed by it',
    limit: 0,
    goal: 0,
    of: ({ files }) => files.filter((path) => featureOf(path) === 'governance'),
    remedy: 'Without a governance file, governance adds no stage.',
  },
  {
    name: 'named functions executed by it',
    limit: 549,
    goal: 400,
    of: ({ functions }) => functions.map(({ path, name }) => `${path} ${name}`),
    remedy: 'Remove the layers that only pass a call on.',
  },
];

const numberOf = (found) => (typeof found === 'number' ? found : found.length);

/**
 * The message about a measure that exceeds its limit; null if it does not.
 * @template T
 * @param {Measure<T>} measure
 * @param {T} subject
 */
export function complaint({ name, limit, of, remedy }, subject) {
  const number = numberOf(of(subject));
  if (number <= limit) return null;
  return `${name}: ${number}, limit ${limit}. ${remedy} The script that prints the measure lists them with --list "${name}".`;
}

/**
 * The numbers with their limits and goals, as lines of text. After `--list WORD`, also what those measures count whose name
 * contains the word; after `--list`, what all count.
 * @template T
 * @param {readonly Measure<T>[]} measures
 * @param {T} subject
 * @param {readonly string[]} args  of the command
 */
export function reportLines(measures, subject, [flag, word = '']) {
  return measures.flatMap(({ name, limit, goal, of }) => {
    const found = of(subject);
    const isListed = flag === '--list' && name.includes(word) && typeof found !== 'number';
    return [
      `${name}: ${numberOf(found)} (limit ${limit}${goal === null ? '' : `, goal ${goal}`})`,
      ...(isListed ? found.map((item) => `  ${item}`) : []),
    ];
  });
}
