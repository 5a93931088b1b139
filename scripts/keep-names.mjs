// Keeps names for stack traces in a bundle whose identifiers are shortened: those of the functions and classes at the top of
// our modules. esbuild's `keepNames` also names every function of libraries, and every closure each time it is made.
import ts from 'typescript';

const isFunction = (node) => ts.isFunctionDeclaration(node) || ts.isArrowFunction(node);

/** What a module declares at its top, as a name and its value: `function a() {}`, `const a = () => …`, `let A = class A {}`. */
function declarations(file) {
  return file.statements.flatMap((statement) => {
    const parts = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    return parts.map((part) => ({ name: part.name?.text, value: part.initializer ?? part }));
  });
}

/** @param {string} text  a module as tsc writes it @returns {string} the module; its lines stay the same */
export function withNames(text) {
  const found = declarations(ts.createSourceFile('module.js', text, ts.ScriptTarget.Latest));
  const functions = found.filter(({ name, value }) => name && isFunction(value)).map(({ name }) => name);
  // Decorators may read the name of a class, so it has one from the beginning.
  const classes = found.filter(({ value }) => ts.isClassLike(value) && value.name).reverse();
  const named = classes.reduce((whole, { value: { name, members } }) => {
    const [before, after] = [whole.slice(0, members.pos), whole.slice(members.pos)];
    return `${before}static{__named({${name.text}:this})}${after}`;
  }, text);
  return functions.length === 0 ? named : `${named}\n__named({${functions.join(',')}});`;
}
