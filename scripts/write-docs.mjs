// npm run docs: writes the parts that are generated from the code. test/tools/docs.spec.ts fails if they are out of
// date.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingsSections, surfaceTable, toolsTables } from './doc-tables.mjs';
import { foldersTable, readSources } from './source-tree.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
require('reflect-metadata');
const { toolDefinitions } = require(join(root, 'dist', 'app.module.js'));
const { GROUPS, parseConfig } = require(join(root, 'dist', 'config', 'config.js'));
const { settingsOf } = require(join(root, 'dist', 'config', 'setting.js'));
const { accessJsonSchema } = require(join(root, 'dist', 'governance', 'access', 'access-file.js'));
const { governanceJsonSchema } = require(join(root, 'dist', 'governance', 'agents', 'governance-file.js'));
const { manifestJsonSchema } = require(join(root, 'dist', 'ingest', 'manifest', 'manifest.js'));
const { isLegacy } = require(join(root, 'dist', 'mcp', 'define-tool.js'));
const { resolveSurface } = require(join(root, 'dist', 'mcp', 'surface', 'surface.js'));

const tools = await toolDefinitions();
const surfaceFor = (settings) => resolveSurface(tools, parseConfig(settings), {});

/** Replaces the text between the two comments with the name of a block. */
function writeBlock(path, name, content) {
  const file = join(root, ...path);
  const text = readFileSync(file, 'utf8');
  const block = new RegExp(`(<!-- ${name}:start -->\\n)[\\s\\S]*?(\\n?<!-- ${name}:end -->)`);
  if (!block.test(text)) throw new Error(`${path.join('/')} has no block ${name}`);
  writeFileSync(
    file,
    text.replace(block, (_, start, end) => `${start}${content}\n${end.trimStart()}`),
  );
}

writeBlock(['docs', 'ARCHITECTURE.md'], 'folders', foldersTable(readSources(join(root, 'src'))));
const { listed, others } = toolsTables(
  tools.filter((tool) => !isLegacy(tool)),
  surfaceFor,
);
writeBlock(['docs', 'tools.md'], 'tools', listed);
writeBlock(['docs', 'tools.md'], 'other-tools', others);
writeBlock(['docs', 'settings.md'], 'settings', settingsSections(GROUPS, settingsOf));
writeBlock(['docs', 'legacy-tools.md'], 'surface', surfaceTable(tools, surfaceFor));
for (const [name, schema] of [
  ['access', accessJsonSchema()],
  ['governance', governanceJsonSchema()],
  ['manifest', manifestJsonSchema()],
]) {
  writeFileSync(join(root, 'config', `${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
}
