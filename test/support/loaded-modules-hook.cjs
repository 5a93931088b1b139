// Loaded into a server by NODE_OPTIONS=--require: when a thread ends, writes down which files it has loaded.
const { appendFileSync } = require('node:fs');

const file = process.env.LOADED_MODULES_FILE;

if (file) process.on('exit', () => appendFileSync(file, `${Object.keys(require.cache).join('\n')}\n`));
