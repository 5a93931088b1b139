import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const CHART = 'deploy/helm/pith';
/** In deploy/kubernetes. */
export const MANIFESTS = ['pith.yaml', 'pith-postgres.yaml', 'pith-engines.yaml'];

/** The first line of a manifest: its digest with the files of the chart, so that neither can be changed alone. */
export function manifestHeader(root, manifest) {
  const hash = createHash('sha256').update(manifest);
  const chart = join(root, CHART);
  for (const name of readdirSync(chart, { recursive: true }).map(String).sort()) {
    const path = join(chart, name);
    if (statSync(path).isFile()) hash.update(`\n${name}\n`).update(readFileSync(path));
  }
  return `# Made by scripts/render-chart.mjs from ${CHART}. SHA-256 of both: ${hash.digest('hex')}\n`;
}
