import { join } from 'node:path';
import type { Config, Environment } from '../config/config.js';
import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import { secretFileOf, serverSecret } from '../config/server-secret.js';
import { PithError } from '../errors.js';
import { checkBinding } from '../mcp/http/http-security.js';
import { loadHosts } from '../mcp/load-hosts.js';
import { PACKAGE_ROOT, VERSION } from '../package-facts.js';
import { sectionPlace } from './engine-places.js';
import { EXIT } from './failures.js';
import { hostConfiguration } from './host-configuration.js';
import { loadConfig } from './load-config.js';
import { localServices } from './local-services.js';

interface Finding {
  readonly isGood: boolean;
  readonly text: string;
  readonly hint?: string;
}

function checkNode(): Finding {
  return { isGood: true, text: `Pith ${VERSION} on Node ${process.versions.node} (${process.execPath})` };
}

function checkConfiguration(overrides: Environment): { config: Config | null; finding: Finding } {
  try {
    const config = loadConfig(overrides);
    checkBinding(config.http);
    loadHosts(PACKAGE_ROOT, config.surface.hostsFile);
    return { config, finding: { isGood: true, text: 'configuration is valid' } };
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    return {
      config: null,
      finding: { isGood: false, text: error.message, hint: 'Correct or unset these variables.' },
    };
  }
}

async function checkIndex(config: Config): Promise<Finding> {
  const services = localServices(config);
  try {
    const { scope } = await services.newCall();
    const facts = await services.index.facts(scope, 1);
    const size = `${facts.documents} documents, ${facts.sections} sections, ${(facts.bytes / 1e6).toFixed(1)} MB`;
    const text = `index ${sectionPlace(config)}: project ${facts.projectId} (${facts.environment}), ${size}, of ${facts.indexedAt}`;
    return { isGood: true, text };
  } catch (error) {
    if (!(error instanceof PithError)) throw error;
    return { isGood: false, text: error.message, hint: error.hint };
  } finally {
    await services.close();
  }
}

function checkSecret(config: Config): Finding {
  if (serverSecret(config).isLasting) {
    return { isGood: true, text: 'cursors and handles are signed with a lasting secret' };
  }
  const file = secretFileOf(config.index.file);
  return {
    isGood: false,
    text: `there is no secret at ${file}`,
    hint: 'pith index makes it, or set PITH_SECRET.',
  };
}

/** `pith doctor`: what is right, what is wrong, and what to tell your host. */
export async function doctor(overrides: Environment): Promise<number> {
  const { config, finding } = checkConfiguration(overrides);
  const ofIndex = config ? [await checkIndex(config), checkSecret(config)] : [];
  const findings = [checkNode(), finding, ...ofIndex];
  for (const { isGood, text, hint } of findings) {
    process.stdout.write(`${isGood ? 'ok   ' : 'WRONG'} ${text}\n${hint ? `      ${hint}\n` : ''}`);
  }
  if (config) {
    const program = join(PACKAGE_ROOT, 'bin', 'pith.js');
    process.stdout.write(
      `\n${hostConfiguration({ program, node: process.execPath, indexFile: config.index.file })}\n`,
    );
  }
  return findings.every(({ isGood }) => isGood) ? EXIT.ok : EXIT.failed;
}
