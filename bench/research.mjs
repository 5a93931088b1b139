// The figures of research sets: BEIR folders, and evidence folders such as HotpotQA and SciFact (docs/eval.md).
//   npm run build && node bench/research.mjs SET… [--mode MODE] [--baseline RUN.json]… [--out FOLDER] [--set-floor LIST]
// The options are those of `pith eval`.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { loadTypeScript } from './load-typescript.mjs';

const load = createRequire(new URL('../dist/x.js', import.meta.url));
const { guarded } = load('./cli/command-parts.js');
const { openInProcess: open } = load('./main.in-process.js');
const engines = async () => load('./engines/command-engines.js').COMMAND_ENGINES;
const { evaluate } = load('./cli/commands/eval.command.js');
const { researchSetAt: findSet } = await loadTypeScript('research-sets');

await guarded(() => {
  const { values, positionals } = parseArgs({
    options: {
      index: { type: 'string' },
      mode: { type: 'string' },
      baseline: { type: 'string', multiple: true },
      out: { type: 'string' },
      'set-floor': { type: 'string' },
    },
    allowPositionals: true,
  });
  const { 'set-floor': setFloor, ...flags } = values;
  return evaluate(positionals, { ...flags, setFloor }, { open, engines, findSet });
});
