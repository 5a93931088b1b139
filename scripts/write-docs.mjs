// npm run docs: writes what is generated from the code; test/tools/docs.spec.ts fails while it is out of date.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
require('reflect-metadata');
const { configurationTable } = require(join(root, 'dist', 'config', 'configuration-table.js'));
const { manifestJsonSchema } = require(join(root, 'dist', 'ingest', 'manifest.js'));

const readme = join(root, 'README.md');
const block = /(<!-- configuration:start -->\n)[\s\S]*?(\n?<!-- configuration:end -->)/;
const text = readFileSync(readme, 'utf8');
if (!block.test(text)) throw new Error('README.md has no configuration block');
writeFileSync(
  readme,
  text.replace(block, (_, start, end) => `${start}${configurationTable()}\n${end.trimStart()}`),
);
writeFileSync(
  join(root, 'config', 'manifest.schema.json'),
  `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`,
);
