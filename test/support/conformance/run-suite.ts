import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const ROOT = join(__dirname, '..', '..', '..');
const SUITE = join(ROOT, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const HOOK = pathToFileURL(join(__dirname, 'fs-with-glob.mjs')).href;

const checksSchema = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);
type Check = z.infer<typeof checksSchema>[number];

/** The checks of one scenario. */
export interface ScenarioResult {
  readonly scenario: string;
  readonly checks: readonly Check[];
}

function run(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    // Its exit code only repeats the results.
    execFile(
      process.execPath,
      ['--import', HOOK, SUITE, ...args],
      { cwd, maxBuffer: 64 << 20 },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}

/** The scenarios for servers of a protocol version. Extensions are not among them. */
export async function serverScenarios(version: string): Promise<string[]> {
  const listed = await run(['list', '--server', '--spec-version', version], ROOT);
  return [...listed.matchAll(/^ {2}- (\S+) \[/gm)].map(([, name = '']) => name).sort();
}

/** Runs all scenarios of a version against a server. */
export async function runSuite(url: string, version: string): Promise<ScenarioResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pith-conformance-'));
  try {
    const options = ['--suite', 'all', '--spec-version', version, '--output-dir', folder];
    await run(['server', '--url', url, ...options], folder);
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return found
      .filter((file) => file.endsWith('checks.json'))
      .map((file) => ({
        scenario: /server-(.*)-\d{4}-\d\d-\d\dT/.exec(file)?.[1] ?? file,
        checks: checksSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
      }))
      .sort((a, b) => (a.scenario < b.scenario ? -1 : 1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The checks that did not pass, as lines. A warning is a recommendation that is not followed. */
export function failuresIn({ scenario, checks }: ScenarioResult): string[] {
  return checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, status, errorMessage = '' }) => `${scenario}: ${id} ${status}: ${errorMessage}`);
}
