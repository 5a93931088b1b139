// Leaves out of PDF.js what reading text does not use: drawing, editing, and forms of XFA. Its file is one module without marks
// of what has no effects, so esbuild can't do it.
import ts from 'typescript';

/** Classes that `getDocument` and the methods that we call never make, and what they are replaced by. */
const CUT = {
  AnnotationEditor: '{}',
  AnnotationElement: '{}',
  CanvasGraphics: '{}',
  PDFEditor: '{}',
  TextLayer: '{static cleanup(){}}',
  XFAFactory: '{static getRichTextAsHtml(){return null}}',
};
/** 120 kB, of which Node has its own. @see openPdf in src/ingest/conversion/pdf, for the limit in bytes */
const BROTLI = `()=>bytes=>brotliDecompressSync(bytes,{maxOutputLength:50_000_000})`;
/** The names of classes, which would be effects. */
const NAMES = /static\{\w+\(this,"\w+"\)\}/g;
/** Reaches every class. */
const WHOLE_LIBRARY = /^globalThis\._pdfjsTestingUtils=/;

const className = (text) => /^class (\w+)[^{]*\{static\{\w+\(this,"(\w+)"\)\}/.exec(text) ?? [];

/** What a statement at the top declares, and the text that takes its place; no names if it only runs. */
function declarations(file, statement) {
  const textOf = (node) => node.getText(file);
  if (ts.isVariableStatement(statement)) {
    const keyword = textOf(statement).split(/\W/, 1)[0];
    return statement.declarationList.declarations.map((variable) => {
      const isBrotli = textOf(variable).includes('"makeBrotliDecode"');
      const text = isBrotli ? `${variable.name.text}=${BROTLI}` : textOf(variable);
      return {
        names: [variable.name.text],
        text: `${keyword} ${text};`,
        uses: isBrotli ? undefined : variable,
      };
    });
  }
  const text = textOf(statement);
  const [, variable, name] = className(text);
  if (name in CUT) return [{ names: [variable], text: `class ${variable}${CUT[name]}`, cut: name }];
  const isDeclared = ts.isClassDeclaration(statement) || ts.isFunctionDeclaration(statement);
  return [{ names: isDeclared ? [statement.name.text] : [], text, uses: statement }];
}

function identifiers(node, found = new Set()) {
  if (ts.isIdentifier(node)) found.add(node.text);
  ts.forEachChild(node, (child) => void identifiers(child, found));
  return found;
}

/** @param {string} text  PDF.js, as one module @returns {string} the parts that `getDocument` and `OPS` reach */
export function leanPdf(text) {
  const file = ts.createSourceFile('pdfjs.mjs', text, ts.ScriptTarget.Latest);
  const isNaming = /^\w+\(\w+,"[\w$]+"\);?$/;
  const parts = file.statements
    .filter((statement) => {
      const own = statement.getText(file);
      return !ts.isExportDeclaration(statement) && !WHOLE_LIBRARY.test(own) && !isNaming.test(own);
    })
    .flatMap((statement) => declarations(file, statement));
  const cut = parts.flatMap((part) => part.cut ?? []);
  if (cut.length < Object.keys(CUT).length)
    throw new Error(`PDF.js has changed; it has only ${cut.join(', ')}`);
  const [getDocument, OPS] = ['getDocument', 'OPS'].map(
    (name) => new RegExp(`(\\w+) as ${name}\\b`).exec(text)[1],
  );
  const exported = `export{${getDocument} as getDocument,${OPS} as OPS};`;
  const lean = reached(parts, [getDocument, OPS]).replace(NAMES, '');
  return `import{brotliDecompressSync}from'node:zlib';${lean}${exported}`;
}

/** The text of what runs, of what the roots name, and of everything that these name. */
function reached(parts, roots) {
  const byName = new Map(parts.flatMap((part) => part.names.map((name) => [name, part])));
  const kept = new Set();
  const open = [...parts.filter(({ names }) => names.length === 0), ...roots.map((name) => byName.get(name))];
  for (let part = open.pop(); part; part = open.pop()) {
    if (kept.has(part)) continue;
    kept.add(part);
    for (const name of part.uses ? identifiers(part.uses) : [])
      open.push(...(byName.has(name) ? [byName.get(name)] : []));
  }
  return parts
    .filter((part) => kept.has(part))
    .map(({ text }) => text)
    .join('\n');
}
