'use strict';

const {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { getHeapCodeStatistics } = require('node:v8');
const vm = require('node:vm');

/** The code is stored by then, because V8 drops that of functions which are not used any more. */
const STORE_AFTER_MS = 2_000;
/**
 * A run that compiles more bytes than this, although there is stored code, stores its own code too. After `--help` or a
 * command that failed, the next command compiles two million; after a similar command, a hundred thousand.
 */
const STORE_FROM_BYTES = 1_000_000;
/** Each of these commands needs different functions of the program. The others share one file. */
const CACHED_APART = ['ask', 'http', 'index', 'start', 'stdio'];

const orNull = (read) => {
  try {
    return read();
  } catch {
    return null;
  }
};

/** Names the program's bytes by what can be read quickly, and V8 by its version; V8 checks its flags itself. */
function keyOf(program) {
  const { version } = require('../package.json');
  const { size, mtimeMs } = statSync(program);
  return [version, size, Math.round(mtimeMs), process.versions.v8, process.arch].join('-');
}

/** Replaces the files of earlier versions. A folder that can't be written costs nothing but the time of each start. */
function store(folder, name, key, code) {
  mkdirSync(folder, { recursive: true });
  accessSync(folder, constants.W_OK);
  for (const other of readdirSync(folder))
    if (!other.includes(key)) rmSync(join(folder, other), { force: true });
  const draft = join(folder, `${name}.${process.pid}`);
  writeFileSync(draft, code());
  renameSync(draft, join(folder, name));
}

/**
 * Runs a program with the code that V8 compiled in an earlier run. Half of a start is compiling. Node 22 has a cache of
 * its own; for Node 20, the code of the functions that a run has used is stored after two seconds or when it ends.
 * (The package v8-compile-cache stores it before any function has run, so it saves less.)
 *
 * The program must not use `import()`: V8 does not keep how to load modules with the code.
 *
 * Whoever can write into `folder` can run code as the user of the program, so it is a folder beside the program.
 */
module.exports = function loadCached(program, folder, command) {
  if (Module.enableCompileCache) Module.enableCompileCache(folder);
  else compileFromCache(program, folder, command);
  require(program);
};

/** The next time that this program is loaded, it is compiled with the stored code. */
function compileFromCache(program, folder, command) {
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (text, filename) {
    if (filename !== program) return compile.call(this, text, filename);
    Module.prototype._compile = compile;
    const run = compiled(text, program, { folder, command });
    return run.call(
      this.exports,
      this.exports,
      Module.createRequire(program),
      this,
      program,
      dirname(program),
    );
  };
}

const compiledBytes = () => getHeapCodeStatistics().bytecode_and_metadata_size;

/** The function that Node makes of a module. Stores its code for the next run, unless most of it is stored. */
function compiled(text, program, { folder, command }) {
  const key = keyOf(program);
  const name = `${CACHED_APART.includes(command) ? command : 'other'}-${key}`;
  const cachedData = orNull(() => readFileSync(join(folder, name))) ?? undefined;
  const script = new vm.Script(Module.wrap(text), { filename: program, cachedData });
  const isStored = cachedData && !script.cachedDataRejected;
  const before = compiledBytes();
  storeLater(() => {
    if (isStored && compiledBytes() - before <= STORE_FROM_BYTES) return;
    store(folder, name, key, () => script.createCachedData());
  });
  return script.runInThisContext();
}

/** Stores after two seconds, or at the end of a run that is shorter. */
function storeLater(keep) {
  const timer = setTimeout(() => {
    process.off('exit', atExit);
    atExit();
  }, STORE_AFTER_MS);
  const atExit = () => orNull(keep);
  timer.unref();
  process.once('exit', atExit);
}
