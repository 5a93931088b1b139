// Bundles the program into single files, because 90% of a start is finding and reading modules.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';
import { inputsHash, STAMP } from './build-inputs.mjs';
import { withNames } from './keep-names.mjs';
import { lean, shaken } from './lean.mjs';
import { billOfMaterials, bundledPackages, thirdPartyNotices } from './third-party.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

// Loaded by name at run time (the native driver; metrics, telemetry and engines if they are configured), or by Nest if
// it is installed.
const external = [
  '@photostructure/sqlite',
  '@opentelemetry/core',
  '@opentelemetry/exporter-*',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-*',

  '@qdrant/*',
  '@redis/*',
  '@vscode/tree-sitter-wasm',
  'neo4j-driver',
  'pg',
  'fsevents',
  '@fastify/*',
  '@grpc/*',
  '@nestjs/platform-fastify',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  'amqp-connection-manager',
  'amqplib',
  'class-transformer/storage',
  'ioredis',
  'kafkajs',
  'mqtt',
  'nats',
  'prom-client',
];

const inScripts = (name) => join(root, 'scripts', name);

/** The functions and classes of ours keep their names, for stack traces; those of Nest too, which logs them. */
const NAMED = [dist, join(root, 'node_modules', '@nestjs'), join(root, 'node_modules', '@rekog')];
const named = {
  name: 'named',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) =>
      NAMED.some((folder) => path.startsWith(folder))
        ? { contents: withNames(readFileSync(path, 'utf8')), loader: 'js' }
        : undefined,
    );
  },
};

const common = {
  absWorkingDir: root,
  metafile: true,
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // `require` instead: V8 does not import from code that was compiled in an earlier run (`bin/load-cached.js`).
  supported: { 'dynamic-import': false },
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: true,
  // All licences are in THIRD-PARTY-NOTICES.txt.
  legalComments: 'none',
  alias: { 'libphonenumber-js/max': inScripts('not-bundled.cjs') },
  logLevel: 'warning',
  external,
};

/** The program: stack traces have the names of our functions. */
const program = {
  ...common,
  inject: [inScripts('named.mjs')],
  entryPoints: {
    pith: join(dist, 'main.cli.js'),
    'reader-worker': join(dist, 'sqlite', 'reader-worker.js'),
    'ledger-worker': join(dist, 'governance', 'ledger', 'store', 'ledger-worker.js'),
    'onnx-worker': join(dist, 'engines', 'models', 'onnx', 'onnx-worker.js'),
  },
};

/** Nearly all text of libraries, whose names nobody needs in a stack trace. */
const threads = {
  ...common,
  entryPoints: {
    'convert-worker': join(dist, 'ingest', 'conversion', 'convert-worker.js'),
    'schema-worker': join(dist, 'work', 'schemas', 'checking', 'schema-worker.js'),
    'mcp-client': inScripts('mcp-client.mjs'),
    asciidoctor: inScripts('asciidoctor.mjs'),
  },
};

/** Builds twice: the first time to find out which parts of packages are used. */
async function bundle(options, plugins = []) {
  const parts = new Map();
  await build({ ...options, write: false, plugins: [lean(dist), shaken(parts, false)] });
  return build({ ...options, plugins: [lean(dist), shaken(parts, true), ...plugins] });
}

const ours = await bundle(program, [named]);
const libraries = await bundle(threads);

/**
 * Escapes the characters in literals that esbuild leaves alone: patterns and tagged templates. V8 keeps the text of a
 * program in memory, with two bytes per character unless all are in Latin-1.
 */
function escapeNonAscii(file) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/[^\0-\x7f]/g, escaped));
}

/** `pith/langgraph`, as ESM and CommonJS, because a graph must not load LangGraph twice. */
async function bundleLibrary() {
  const library = {
    bundle: true,
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  };
  const source = join(root, 'src', 'langgraph');
  const entryPoints = { langgraph: join(source, 'mcp-tool-node.ts') };
  await build({ ...library, entryPoints, outdir: dist, format: 'cjs', outExtension: { '.js': '.cjs' } });
  await build({ ...library, entryPoints, outdir: dist, format: 'esm', outExtension: { '.js': '.mjs' } });
  for (const name of readdirSync(source)) {
    const text = readFileSync(join(source, name), 'utf8');
    const { outputText } = ts.transpileDeclaration(text, {
      fileName: name,
      compilerOptions: { target: 'es2022' },
    });
    writeFileSync(join(dist, 'langgraph', name.replace(/\.ts$/, '.d.ts')), outputText);
  }
}

const inputs = [ours, libraries].flatMap(({ metafile }) => Object.keys(metafile.inputs));
const packages = bundledPackages(root, inputs);
const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

await bundleLibrary();
escapeNonAscii(join(dist, 'pith.cjs'));
writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(packages));
writeFileSync(join(dist, 'sbom.cdx.json'), billOfMaterials(packages, product));
writeFileSync(join(root, STAMP), inputsHash(root));
