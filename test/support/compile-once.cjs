// Jest reads and compiles each module again for each suite, which took half of the CPU time of `npm test`. This runtime
// compiles a module once per worker. Each suite still evaluates the module itself, so suites share no state.
const { readFileSync } = require('node:fs');
const { sep } = require('node:path');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** By file: its source and the compiled script, which runs in the context of any suite. */
const scripts = new Map();

/** Texts and code of packages, which do not change during a run. */
const packageTexts = new Map();
const packageCode = new Map();

function onceFor(known, file, make) {
  const text = known.get(file) ?? make();
  known.set(file, text);
  return text;
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

module.exports = class CompileOnceRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor, fileCache, transformCache } = this;
    const readFile = fileCache.readFile.bind(fileCache);
    const transform = transformCache.transform.bind(transformCache);
    const compile = executor.compile.bind(executor);
    const isInPackage = (file) => file.includes(`${sep}node_modules${sep}`);

    fileCache.readFile = (file) =>
      isInPackage(file) ? onceFor(packageTexts, file, () => readFileSync(file, 'utf8')) : readFile(file);
    transformCache.transform = (file, options) => {
      const code = () => transform(file, options);
      return isInPackage(file) && !options?.isInternalModule ? onceFor(packageCode, file, code) : code();
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
