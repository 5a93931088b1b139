/**
 * Writes deploy/kubernetes from the Helm chart, checked against the schemas of two versions of Kubernetes.
 * It needs `helm` (go install helm.sh/helm/v3/cmd/helm@v3.18.6) and `kubernetes-validate` (of PyPI) on the path. A test
 * fails if the chart or a manifest was changed without this script.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHART, manifestHeader, MANIFESTS } from './chart-digest.mjs';

/** The oldest one that the chart supports, and the newest one that was checked. */
const VERSIONS = ['1.30.0', '1.37.0'];
const VALUES = {
  'pith.yaml': [],
  'pith-postgres.yaml': ['-f', `${CHART}/ci/postgres-values.yaml`],
  'pith-engines.yaml': ['-f', `${CHART}/ci/engines-values.yaml`],
};

/** Without a database, what these keep would be lost with a pod. */
const REFUSED = [
  'settings.MCP_DOMAINS=run',
  'settings.PITH_QUESTIONS=on',
  'settings.PITH_LEDGER=on',
  'files.governance\\.yaml=policy: { rules: [{ name: a\\, tools: [a]\\, effect: approve }] }',
  'files.governance\\.yaml=providers: {}',
];

const run = (program, ...args) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

function render(name, version) {
  run('helm', 'lint', CHART, '--strict', '--kube-version', version, ...VALUES[name]);
  const text = run(
    'helm',
    'template',
    'pith',
    CHART,
    '-n',
    'pith',
    '--kube-version',
    version,
    ...VALUES[name],
  );
  const file = join(mkdtempSync(join(tmpdir(), 'pith-chart-')), name);
  writeFileSync(file, text);
  process.stdout.write(run('kubernetes-validate', '--strict', '-k', version, file));
  // Nothing here is managed by Helm.
  return text.replaceAll(/^# Source: .*\n|^ *app\.kubernetes\.io\/managed-by: Helm\n/gmu, '');
}

for (const value of REFUSED) {
  const { status, stderr } = spawnSync(
    'helm',
    ['template', 'pith', CHART, '--kube-version', VERSIONS[0], '--set-string', value],
    {
      encoding: 'utf8',
    },
  );
  if (status === 0 || !stderr.includes('needs engines.postgres')) throw new Error(`${value} is not refused`);
}
for (const name of MANIFESTS) {
  const [oldest, newest] = VERSIONS.map((version) => render(name, version));
  if (oldest !== newest) throw new Error('the chart depends on the version of Kubernetes');
  writeFileSync(`deploy/kubernetes/${name}`, manifestHeader('.', oldest) + oldest);
}
