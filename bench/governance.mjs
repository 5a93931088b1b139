// A call with the run ledger and a policy against one without. Run: npm run build && node bench/governance.mjs [FOLDER]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureInTurn } from './in-turn.mjs';
import { run } from './measure.mjs';

/** Rules that are compared with each call before one allows it. */
const RULES = 20;

const POLICY = {
  version: 1,
  policy: {
    rules: [
      ...Array.from({ length: RULES - 1 }, (_, i) => ({
        name: `other-${i}`,
        tools: [`other${i}.*`, `*.write${i}`],
        scope: { environments: ['prod'] },
        effect: 'deny',
      })),
      { name: 'reads', safety: ['read'], agents: ['default'], effect: 'allow' },
    ],
  },
};

/** No ledger and no file, or both. JSON is YAML. */
export function governanceSettings(folder) {
  const file = join(folder, 'governance.yaml');
  writeFileSync(file, JSON.stringify(POLICY));
  return {
    without: { PITH_LEDGER: 'off' },
    with: { PITH_LEDGER: 'on', PITH_GOVERNANCE_FILE: file },
  };
}

const QUERIES = [
  'run ledger',
  'approval of a call',
  'policy rules',
  'agents and capabilities',
  'external servers',
];

async function main(documents) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-governance-'));
  try {
    const pith = [process.execPath, join(root, 'bin', 'pith.js')];
    const index = join(folder, 'index.sqlite');
    await run([...pith, 'index', documents, '--index', index]);
    const queries = Array.from({ length: 50 }, () => QUERIES).flat();
    const took = await measureInTurn(pith, index, governanceSettings(folder), queries);
    console.log(
      `kb.search with governance takes ${((100 * took.with) / took.without).toFixed(0)} % of the time without (p50 of ${took.calls} calls); median difference ${took.difference.toFixed(3)} ms`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const self = fileURLToPath(import.meta.url);
const root = join(dirname(self), '..');
if (process.argv[1] === self) await main(process.argv[2] ?? join(root, 'docs'));
