import { join } from 'node:path';
import type { Config, Environment } from '../../config/config.js';
import { thisUser } from '../../config/data-folder.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { secretFileOf, serverSecret } from '../../config/server-secret.js';
import { PithError } from '../../core/errors.js';
import { PACKAGE_ROOT, VERSION } from '../../core/package-facts.js';
import { checkBinding } from '../../mcp/http/http-security.js';
import { loadHosts } from '../../mcp/surface/load-hosts.js';
import type { Common } from '../command-parts.js';
import { EXIT } from '../failures.js';
import { hostConfiguration, hostFile, hostServer, type HostTarget } from '../hosts/host-configuration.js';
import { HOSTS } from '../hosts/hosts.js';
import { writeHostFile, type WrittenFile } from '../hosts/write-host-file.js';
import { loadServedConfig, type ServedConfig } from '../load-config.js';
import { sectionPlace } from '../reports/engine-places.js';
import type { OpenSession, Session } from '../running/session.js';

interface Finding {
  readonly isGood: boolean;
  readonly text: string;
  readonly hint?: string;
}

function checkNode(): Finding {
  return { isGood: true, text: `Pith ${VERSION} on Node ${process.versions.node} (${process.execPath})` };
}

interface CheckedConfiguration {
  /** null where the settings are invalid. */
  readonly served: ServedConfig | null;
  readonly finding: Finding;
}

function checkConfiguration(overrides: Environment, docs: string | undefined): CheckedConfiguration {
  try {
    const served = loadServedConfig(overrides, docs);
    const { config } = served;
    checkBinding(config.http);
    loadHosts(PACKAGE_ROOT, config.surface.hostsFile);
    return { served, finding: { isGood: true, text: 'configuration is valid' } };
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    return {
      served: null,
      finding: { isGood: false, text: error.message, hint: 'Correct or unset these variables.' },
    };
  }
}

async function describeIndex(config: Config, { index, scope }: Session): Promise<string> {
  const facts = await index.facts(await scope(), 1);
  const size = `${facts.documents} documents, ${facts.sections} sections, ${(facts.bytes / 1e6).toFixed(1)} MB`;
  return `index ${sectionPlace(config)}: project ${facts.projectId} (${facts.environment}), ${size}, indexed ${facts.indexedAt}`;
}

async function checkIndex(config: Config, open: OpenSession): Promise<Finding> {
  const session = await open(config);
  try {
    return { isGood: true, text: await describeIndex(config, session) };
  } catch (error) {
    if (!(error instanceof PithError)) throw error;
    return { isGood: false, text: error.message, hint: error.commandHint };
  } finally {
    await session.close();
  }
}

function checkSecret(config: Config): Finding {
  if (serverSecret(config).isLasting) {
    return { isGood: true, text: 'signing secret: present' };
  }
  const file = secretFileOf(config.index.file);
  return {
    isGood: false,
    text: `signing secret: missing at ${file}`,
    hint: 'Run pith index, which creates it, or set PITH_SECRET.',
  };
}

/** Flags of `pith doctor`. */
export interface DoctorFlags extends Common {
  readonly docs?: string;
  readonly json?: boolean;
  readonly write?: string;
}

/** Options of `doctor`. */
export interface DoctorOptions {
  readonly flags: DoctorFlags;
  readonly overrides: Environment;
  readonly open: OpenSession;
}

async function findings({ flags: { docs }, overrides, open }: DoctorOptions): Promise<Found> {
  const { served, finding } = checkConfiguration(overrides, docs);
  const { config, folder } = served ?? { config: null, folder: null };
  // With --docs, the server builds the index when it starts, so none is needed yet.
  const ofIndex = config && folder === null ? [await checkIndex(config, open), checkSecret(config)] : [];
  return { config, folder, list: [checkNode(), finding, ...ofIndex] };
}

interface Found {
  readonly config: Config | null;
  /** The folder of `--docs`; null without it, or if the settings are invalid. */
  readonly folder: string | null;
  readonly list: readonly Finding[];
}

const targetOf = ({ index }: Config, docs: string | null): HostTarget => ({
  program: join(PACKAGE_ROOT, 'bin', 'pith.js'),
  version: VERSION,
  node: process.execPath,
  indexFile: index.file,
  docs,
});

function writeTo(id: string, target: HostTarget): WrittenFile {
  const place = thisUser();
  const host = HOSTS.find((each) => each.id === id);
  if (!host) throw new Error(`unknown host ${id}`);
  return writeHostFile(host, hostServer(target, place.platform), { place, now: new Date() });
}

function writtenLines({ file, backup, isChanged, isUpdate }: WrittenFile): string {
  if (!isChanged) return `${file} already has this server.`;
  const what = isUpdate ? 'Updated the entry in' : 'Added to';
  return `${what} ${file}${backup ? `; the previous file is ${backup}` : ''}. Restart the host.`;
}

function jsonOf({ config, folder, list }: Found, written: WrittenFile | null): string {
  const place = thisUser();
  const target = config && targetOf(config, folder);
  const server = target && hostServer(target, place.platform);
  const hosts = server
    ? HOSTS.map((host) => ({ id: host.id, file: host.file(place), content: hostFile(host, server) }))
    : [];
  const report = {
    ok: list.every(({ isGood }) => isGood),
    version: VERSION,
    node: process.versions.node,
    index: config?.index.file ?? null,
    findings: list.map(({ isGood, text, hint }) => ({ ok: isGood, text, hint: hint ?? null })),
    server,
    hosts,
    written,
  };
  return JSON.stringify(report, null, 2);
}

function linesOf({ config, folder, list }: Found, written: WrittenFile | null): string {
  const checks = list.map(
    ({ isGood, text, hint }) => `${isGood ? 'ok   ' : 'WRONG'} ${text}${hint ? `\n      ${hint}` : ''}`,
  );
  const rest = written
    ? writtenLines(written)
    : config && hostConfiguration(targetOf(config, folder), thisUser());
  const isWrittenAnyway = written?.isChanged && !list.every(({ isGood }) => isGood);
  const warning = isWrittenAnyway
    ? ['The entry was written, but a check above failed: correct it first.']
    : [];
  return [...checks, ...(rest ? ['', rest] : []), ...warning].join('\n');
}

/** `pith doctor`: checks the installation, and prints or writes the configuration of hosts. */
export async function doctor(options: DoctorOptions): Promise<number> {
  const { flags } = options;
  const found = await findings(options);
  const { config, folder, list } = found;
  const written = config && flags.write !== undefined ? writeTo(flags.write, targetOf(config, folder)) : null;
  process.stdout.write(`${flags.json ? jsonOf(found, written) : linesOf(found, written)}\n`);
  return list.every(({ isGood }) => isGood) ? EXIT.ok : EXIT.failed;
}
