// Jest reads, resolves and compiles each module again for each suite, which took half of the CPU time of `npm test`. This
// runtime does so once per worker. Each suite still evaluates the module itself, so suites share no state.
const { readFileSync, statSync } = require('node:fs');
const { sep } = require('node:path');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** By file: its source and the compiled script, which runs in the context of any suite. */
const scripts = new Map();

/** Texts and code of packages, which do not change during a run. */
const packageTexts = new Map();
const packageCode = new Map();

/** By file of the project: what the transform made of it, and the state of the file then. */
const projectCode = new Map();

/** What modules resolve to, by the resolver of a project. Names that are not found are not kept. */
const resolutions = new WeakMap();

function onceFor(known, key, make) {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

function scriptOf(file, source, parameters) {
  const known = scripts.get(file);
  if (known?.source === source) return known.script;
  const head = `(function (${parameters.join(', ')}) {`;
  // The offset keeps columns in stack traces as they are in the file.
  const script = new Script(`${head}${source}\n})`, { filename: file, columnOffset: -head.length });
  scripts.set(file, { source, script });
  return script;
}

const isInPackage = (file) => file.includes(`${sep}node_modules${sep}`);

/** Changes when the file is written. */
function stateOf(file) {
  const { ino, mtimeMs, size } = statSync(file);
  return `${ino} ${mtimeMs} ${size}`;
}

/** A map that a suite can't clear at its end. */
class LastingMap extends Map {
  clear() {}
}

module.exports = class CompileOnceRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { _resolution: resolution, executor, fileCache, transformCache } = this;
    const readFile = fileCache.readFile.bind(fileCache);
    const transform = transformCache.transform.bind(transformCache);
    const compile = executor.compile.bind(executor);
    const getCjsMockModule = resolution.getCjsMockModule.bind(resolution);
    const { mocks, paths } = onceFor(resolutions, resolution.resolver, () => ({
      mocks: new Map(),
      paths: new LastingMap(),
    }));

    resolution.cjsCache = paths;
    resolution.getCjsMockModule = (from, name) => {
      const key = `${from}\0${name}`;
      if (!mocks.has(key)) mocks.set(key, getCjsMockModule(from, name));
      return mocks.get(key);
    };
    fileCache.readFile = (file) =>
      isInPackage(file) ? onceFor(packageTexts, file, () => readFileSync(file, 'utf8')) : readFile(file);
    transformCache.transform = (file, options) => {
      if (options?.isInternalModule) return transform(file, options);
      if (isInPackage(file)) return onceFor(packageCode, file, () => transform(file, options));
      const { sourceMaps, transforms } = transformCache;
      const state = stateOf(file);
      let known = projectCode.get(file);
      if (known?.state !== state) {
        transform(file, options);
        known = { result: transforms.get(file), state };
        projectCode.set(file, known);
      }
      const { result } = known;
      transforms.set(file, result);
      if (result.sourceMapPath) sourceMaps.set(file, result.sourceMapPath);
      return result.code;
    };
    executor.compile = (source, file) => {
      const context = this._environment.getVmContext();
      if (!context) return null;
      try {
        return scriptOf(file, source, executor.injectedModuleParameters).runInContext(context);
      } catch {
        // Jest explains errors of syntax.
        return compile(source, file);
      }
    };
  }
};
