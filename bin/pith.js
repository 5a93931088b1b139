#!/usr/bin/env node
'use strict';

const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const loadCached = require('./load-cached.js');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Pith needs Node 20.19 or later; this is ${process.versions.node}.`);
  process.exit(1);
}

const entry = join(__dirname, '..', 'dist', 'pith.cjs');
if (!existsSync(entry)) {
  console.error('Pith is not built yet. Run: npm run build');
  process.exit(1);
}

/** Servers live long. Their heap grows by a third between collections, where V8 lets it grow to four times on large machines. */
if (['http', 'start', 'stdio'].includes(process.argv[2])) setFlagsFromString('--heap-growing-percent=30');

loadCached(entry, join(__dirname, '..', 'dist', 'compile-cache'), process.argv[2]);
