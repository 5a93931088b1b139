// Loaded into a server by NODE_OPTIONS=--require: writes the list of loaded files when a thread ends.
const { appendFileSync } = require('node:fs');

const file = process.env.LOADED_MODULES_FILE;

if (file) process.on('exit', () => appendFileSync(file, `${Object.keys(require.cache).join('\n')}\n`));
