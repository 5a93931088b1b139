// Leaves parts of libraries out of the bundles: those that no setting of Pith can reach.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { leanPdf } from './lean-pdf.mjs';

const scripts = dirname(fileURLToPath(import.meta.url));
const root = join(scripts, '..');
const inScripts = (name) => join(scripts, name);
const NOTHING = { path: inScripts('not-bundled.cjs') };
const CLIENT = /^@modelcontextprotocol\/client(?:\/|$)/;
const ASCIIDOCTOR = /^@asciidoctor\/core$/;
/** The version that Nest uses, for our own code as well. */
const EXPRESS = createRequire(
  createRequire(inScripts('lean.mjs')).resolve('@nestjs/platform-express'),
).resolve('express');
const PARSER = createRequire(inScripts('lean.mjs')).resolve('parse5');
/** Types that a server sends or receives. */
const SERVED =
  /^(?:text\/(?:html|css|plain|csv|markdown|javascript|xml)|image\/(?:png|svg\+xml|x-icon|vnd\.microsoft\.icon)|application\/(?:json|javascript|xml|octet-stream|x-ndjson|x-www-form-urlencoded))$/;
const HTTP = '@modelcontextprotocol/node';
/** The decorators of our settings use no others. */
const VALIDATORS = ['validator/lib/isLength', 'validator/lib/matches'];

/** Modules that nothing of Pith uses, by who imports them and how. */
const UNUSED = [
  // Messages in other languages.
  [/[\\/]zod[\\/]/, /\/locales\/index\.c?js$/],
  // Encodings that are not Unicode (bodies of requests are).
  [/[\\/]iconv-lite[\\/]/, /^\.\/(?:dbcs-data|sbcs-data-generated)$/],
  // Uploads of files, which no endpoint takes, and Nest's prompt.
  [/[\\/]@nestjs[\\/]platform-express[\\/]/, /^(?:\.\/multer|multer)$/],
  [/[\\/]@nestjs[\\/]core[\\/]/, /^\.\/repl$/],
  // Nest's validation of requests, which Zod does.
  [/[\\/]@nestjs[\\/]common[\\/]/, /^class-(?:validator|transformer)$/],
];

/** Transports of microservices; ours is the MCP strategy. Nest asks what is an instance of their classes. */
const TRANSPORTS =
  /[\\/]@nestjs[\\/]microservices[\\/].*[\\/](?:(?:client|server)-(?:grpc|kafka|mqtt|nats|redis|rmq|tcp)|kafka-[a-z.-]+|(?:json|tcp)-socket)\.js$/;

/** The classes of a module, empty. */
function emptyClasses(path) {
  const names = [...readFileSync(path, 'utf8').matchAll(/^exports\.(\w+) = \1;$/gm)].map(([, name]) => name);
  return names.map((name) => `exports.${name} = class ${name} {};`).join('\n');
}

/**
 * Packages that have modules of ECMAScript, whose unused parts esbuild leaves out. Modules in CommonJS would get all of a
 * package, so they get a module that exports the parts that they use. A package is here with all its importers, or it would be
 * loaded twice.
 */
const SHAKEN =
  /^(?:zod|rxjs|class-validator|class-transformer|@modelcontextprotocol\/(?:server|core|node)|@hono\/node-server|entities|fflate|jose|jsonc-parser|@noble\/hashes|@orama\/stemmers|markdown-it|parse5|smol-toml|tslib)(?:\/|$)/;
/** Where such modules are, if a package does not say it. */
const PLACES = {
  rxjs: './node_modules/rxjs/dist/esm/index.js',
  'rxjs/operators': './node_modules/rxjs/dist/esm/operators/index.js',
  'class-validator': './node_modules/class-validator/esm2015/index.js',
  'class-transformer': './node_modules/class-transformer/esm2015/index.js',
  'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js',
  tslib: './node_modules/tslib/tslib.es6.mjs',
};

function replaced(text, what, by) {
  if (!text.includes(what)) throw new Error(`A library has changed; its text no longer contains: ${what}`);
  return text.replace(what, by);
}

/** The part of a package that is used where its variable stands; undefined where it is declared or wrapped for `default`. */
function partAt(variable) {
  const { parent } = variable;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === variable) {
    const part = parent.name.text;
    return part === 'z' ? `z.${parent.parent.name.text}` : part;
  }
  const isKey = parent.name === variable;
  const isWrapped = ts.isBinaryExpression(parent) || ts.isCallExpression(parent);
  if (isKey || (isWrapped && /__toESM/.test(parent.getText()))) return undefined;
  throw new Error(`A package is used as a whole: ${parent.getText()}`);
}

/**
 * The exports of a package that a module in CommonJS uses, as compilers write such modules: `const a = require("package")` and
 * `a.part`. A part of the namespace `z` is `z.part`.
 * @throws Error if the module uses the package in another way
 */
export function usedParts(text, specifier) {
  const file = ts.createSourceFile('module.js', text, ts.ScriptTarget.Latest, true);
  const variables = new Set();
  const parts = [];
  const visit = (node) => {
    if (ts.isStringLiteral(node) && node.text === specifier && ts.isCallExpression(node.parent)) {
      const outer = ts.findAncestor(
        node,
        (one) => ts.isVariableDeclaration(one) || ts.isPropertyAccessExpression(one),
      );
      if (!outer) throw new Error(`Unknown way to load ${specifier}`);
      if (ts.isVariableDeclaration(outer)) variables.add(outer.name.text);
      else parts.push(outer.name.text);
    }
    if (ts.isIdentifier(node) && variables.has(node.text)) parts.push(partAt(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return parts.filter((part) => part !== undefined);
}

const Z = /^z\./;
/** Ends the name of a module that is the namespace `z` of a package. */
const NAMESPACE = '#z';

/** A module that exports these parts of a package. */
function partsModule(name, parts) {
  const specifier = name.replace(NAMESPACE, '');
  const from = JSON.stringify(PLACES[specifier] ?? specifier);
  const own = (
    name === specifier ? parts.filter((part) => !Z.test(part)) : parts.filter((part) => Z.test(part))
  )
    .map((part) => part.replace(Z, ''))
    .sort();
  const hasNamespace = name === specifier && parts.some((part) => Z.test(part));
  return [
    `export { ${own.join(', ')} } from ${from};`,
    hasNamespace ? `export * as z from ${JSON.stringify(`parts:${name}${NAMESPACE}`)};` : '',
  ].join('\n');
}

/**
 * Gives modules in CommonJS the parts of packages that they use.
 * @param {Map<string, Set<string>>} parts  by package; the first build fills it, and bundles all parts
 * @param {boolean} isKnown  true if a build before has filled it
 */
export const shaken = (parts, isKnown) => ({
  name: 'shaken',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: SHAKEN }, ({ path, kind, importer }) => {
      if (kind !== 'require-call') return undefined;
      const used = parts.get(path) ?? new Set();
      for (const part of usedParts(readFileSync(importer, 'utf8'), path)) used.add(part);
      parts.set(path, used);
      return isKnown ? { path, namespace: 'parts' } : undefined;
    });
    onResolve({ filter: /^parts:/ }, ({ path }) => ({
      path: path.slice('parts:'.length),
      namespace: 'parts',
    }));
    onLoad({ filter: /./, namespace: 'parts' }, ({ path }) => ({
      contents: partsModule(path, [...parts.get(path.replace(NAMESPACE, ''))]),
      resolveDir: root,
    }));
  },
});

/** Leaves out what is unused, and until they are used the HTTP transport, the MCP client and Asciidoctor, which are in files of their own. */
export const lean = (dist) => ({
  name: 'lean',
  setup({ onResolve, onLoad, resolve }) {
    for (const [importers, filter] of UNUSED)
      onResolve({ filter }, ({ importer }) => (importers.test(importer) ? NOTHING : undefined));
    onResolve({ filter: /^validator(?:\/lib\/|$)/ }, ({ path }) =>
      VALIDATORS.includes(path) ? undefined : NOTHING,
    );
    onResolve({ filter: /\/ajvProvider-/ }, () => NOTHING);
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: inScripts('no-validator.cjs'),
    }));
    // markdown-it and parse5 decode by the same table.
    onResolve({ filter: /^entities$/ }, () =>
      resolve('entities/decode', { resolveDir: dirname(PARSER), kind: 'import-statement' }),
    );
    onResolve({ filter: /^express$/ }, () => ({ path: EXPRESS }));
    onResolve({ filter: CLIENT }, ({ importer }) =>
      importer.startsWith(dist) ? { path: './mcp-client.cjs', external: true } : undefined,
    );
    onResolve({ filter: ASCIIDOCTOR }, ({ importer }) =>
      importer.startsWith(dist) ? { path: './asciidoctor.cjs', external: true } : undefined,
    );
    onLoad({ filter: /[\\/](?:console-)?logger\.service\.js$/ }, ({ path }) => {
      // `StderrLogger` writes no times.
      const text = replaced(readFileSync(path, 'utf8'), 'new Intl.DateTimeFormat(', 'null && (');
      return { contents: text, loader: 'js' };
    });
    onLoad({ filter: /[\\/]streamable-http\.transport\.js$/ }, ({ path }) => {
      const text = replaced(readFileSync(path, 'utf8'), `const node_1 = require("${HTTP}");`, '');
      const lazy = text.replaceAll(/\bnode_1\./g, `(require("${HTTP}")).`);
      return { contents: lazy, loader: 'js' };
    });
    onLoad({ filter: /[\\/]unpdf[\\/]dist[\\/]pdfjs\.mjs$/ }, ({ path }) => ({
      contents: leanPdf(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
    onLoad({ filter: TRANSPORTS }, ({ path }) => ({ contents: emptyClasses(path), loader: 'js' }));
    onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, ({ path }) => ({
      contents: servedTypes(path),
      loader: 'json',
    }));
  },
});

/** The types of files, of which the console serves a few. Others have no ending here. */
function servedTypes(path) {
  const types = Object.entries(JSON.parse(readFileSync(path, 'utf8')));
  const served = types.filter(([type, { extensions }]) => extensions && SERVED.test(type));
  return JSON.stringify(Object.fromEntries(served));
}
