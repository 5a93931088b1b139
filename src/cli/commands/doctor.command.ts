import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Config } from '../../config/config.js';
import { thisUser, type UserPlace } from '../../config/data-folder.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { makeFolder } from '../../config/make-folder.js';
import { secretFileOf, serverSecret } from '../../config/server-secret.js';
import { PithError } from '../../core/errors.js';
import { PACKAGE_ROOT, VERSION } from '../../core/package-facts.js';
import { MAX_FACET_VALUES, sortedValues } from '../../core/ports/index-facts.js';
import { checkBinding } from '../../mcp/http/http-security.js';
import { loadHosts } from '../../mcp/surface/load-hosts.js';
import { withKnownNames } from '../../text/nearest-name.js';
import type { Finding } from '../command-parts.js';
import { EXIT } from '../failures.js';
import { type DoctorFlags, settingsFrom } from '../flags.js';
import { HOSTS, type HostServer } from '../hosts/hosts.js';
import { mergeHostFile, putFile, writeHostFile, type WrittenFile } from '../hosts/merge-host-file.js';
import { type Plugin, pluginFiles, pluginFolder, PLUGINS } from '../hosts/plugins.js';
import { loadServedConfig, type ServedConfig } from '../load-config.js';
import { print } from '../print.js';
import { sectionPlace } from '../reports/engine-places.js';
import { type OpenSession, type Session, withSession } from '../running/session.js';
import type { Servers } from './serve.command.js';
import { aboutDocuments, refuseLinks, skillText } from './skill.command.js';

/** The facts that a host's configuration needs to start this server; paths are absolute. */
type HostTarget = Readonly<ReturnType<typeof hostTarget>>;

/** @param folder  to index at each start; null if the index is built with `pith index` */
const hostTarget = ({ config: { index }, folder }: ServedConfig, flags: DoctorFlags) => ({
  program: join(PACKAGE_ROOT, 'bin', 'pith.js'),
  version: VERSION,
  node: process.execPath,
  indexFile: index.file,
  docs: folder,
  allowedHosts: flags.allowHost ?? [],
  secret: flags.secret,
});

function quoted(text: string, platform: NodeJS.Platform): string {
  if (!/[^\w@%+=:,./\\-]/.test(text)) return text;
  return platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** npx may clear its package cache at any time, so a path into it is not permanent. */
const isFromNpx = (program: string): boolean => program.split(sep).includes('_npx');

function starter({ program, node, version }: HostTarget, platform: NodeJS.Platform): HostServer {
  if (!isFromNpx(program)) return { command: node, args: [program] };
  const args = ['-y', `pith@${version}`];
  // On Windows npx is a script, which hosts can't start directly.
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args };
}

/** The command that hosts run. */
export function hostServer(target: HostTarget, platform: NodeJS.Platform): HostServer {
  const { command, args } = starter(target, platform);
  const { docs, indexFile, allowedHosts, secret } = target;
  if (docs === null) return { command, args: [...args, 'stdio', '--index', indexFile] };
  const ofSource = [
    ...allowedHosts.flatMap((host) => ['--allow-host', host]),
    ...(secret === undefined ? [] : ['--secret', secret]),
  ];
  return { command, args: [...args, 'stdio', '--docs', docs, ...ofSource] };
}

/** The configuration for every host; hosts with identical files are grouped. */
export function hostConfiguration(target: HostTarget, place: UserPlace): string {
  const server = hostServer(target, place.platform);
  const places = new Map<string, string[]>();
  for (const host of HOSTS.filter(({ id }) => id !== 'claude-code')) {
    const content = mergeHostFile('', host, server).trimEnd();
    places.set(content, [...(places.get(content) ?? []), `${host.title} (${host.file(place)})`]);
  }
  const command = [server.command, ...server.args].map((word) => quoted(word, place.platform)).join(' ');
  return [
    ...[...places].map(([content, hosts]) => `${hosts.join(',\n')}:\n${content}`),
    `Claude Code:\nclaude mcp add --scope user pith -- ${command}`,
    `pith doctor --write HOST adds it to the configuration file of a host: ${HOSTS.map(({ id }) => id).join(', ')}.`,
    `It also writes plugins, with the server and a skill: ${PLUGINS.map(({ id }) => id).join(', ')}.`,
  ].join('\n\n');
}

function readSettings(flags: DoctorFlags): ServedConfig | Finding {
  try {
    const served = loadServedConfig(settingsFrom(flags), flags.docs);
    const { http, surface } = served.config;
    checkBinding(http);
    loadHosts(PACKAGE_ROOT, surface.hostsFile);
    return served;
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    return { isGood: false, text: error.message, hint: 'Correct or unset these variables.' };
  }
}

async function describeIndex(config: Config, { index, scope }: Session): Promise<string> {
  const facts = await index.facts(await scope(), 1);
  const size = `${facts.documents} documents, ${facts.sections} sections, ${(facts.bytes / 1e6).toFixed(1)} MB`;
  return `index ${sectionPlace(config)}: project ${facts.projectId} (${facts.environment}), ${size}, indexed ${facts.indexedAt}`;
}

/** The tags and repositories of the settings that no document has: typos, with which everything looks empty. */
async function unknownNames({ scope: limit }: Config, { index, scope }: Session): Promise<Finding[]> {
  const { docTags, repositories } = limit;
  if (docTags.length + repositories.length === 0) return [];
  const everything = { ...(await scope()), docTags: null, repositories: null, groups: null };
  const facts = await index.facts(everything, MAX_FACET_VALUES);
  const compared = [
    ['PITH_DOC_TAGS', docTags, facts.docTags],
    ['PITH_REPOSITORIES', repositories, facts.repositories],
  ] as const;
  return compared.flatMap(([setting, given, counts]) => {
    const known = sortedValues(counts);
    return given
      .filter((value) => !known.includes(value))
      .map((value) => ({
        isGood: false,
        text: `${setting}: no document of the index has "${value}"`,
        hint: withKnownNames('Correct it', value, { whose: 'The index has', known }),
      }));
  });
}

async function checkIndex(config: Config, open: OpenSession): Promise<Finding[]> {
  return withSession(open(config), async (session) => {
    try {
      const text = await describeIndex(config, session);
      return [{ isGood: true, text }, ...(await unknownNames(config, session))];
    } catch (error) {
      if (!(error instanceof PithError)) throw error;
      return [{ isGood: false, text: error.message, hint: error.commandHint }];
    }
  });
}

function checkSecret(config: Config): Finding {
  if (serverSecret(config).isLasting) return { isGood: true, text: 'signing secret: present' };
  return {
    isGood: false,
    text: `signing secret: missing at ${secretFileOf(config.index.file)}`,
    hint: 'Run pith index, which creates it, or set PITH_SECRET.',
  };
}

interface Found {
  /** Null if the settings are invalid. */
  readonly served: ServedConfig | null;
  readonly list: readonly Finding[];
  /** Null without `--write`. */
  readonly written: Written | null;
}

/** The file of a host, or those of a plugin with what to do with its folder. */
type Written = WrittenFile | { readonly files: readonly WrittenFile[]; readonly install: string };

type DoctorParts = Pick<Servers, 'inProcess' | 'features'>;

async function check(
  flags: DoctorFlags,
  { inProcess, features }: DoctorParts,
): Promise<Omit<Found, 'written'>> {
  const version = `Pith ${VERSION} on Node ${process.versions.node} (${process.execPath})`;
  const node = { isGood: true, text: version };
  const served = readSettings(flags);
  if ('isGood' in served) return { served: null, list: [node, served] };
  const { config, folder } = served;
  // With --docs, the server builds the index when it starts, so none is needed yet.
  const ofIndex = folder === null ? [...(await checkIndex(config, inProcess)), checkSecret(config)] : [];
  const valid = { isGood: true, text: 'configuration is valid' };
  const added = await Promise.all(features.map(async (feature) => (await feature.check?.(config)) ?? []));
  return { served, list: [node, valid, ...ofIndex, ...added.flat()] };
}

/** Writes the folder of a plugin. @throws InvalidArgumentError */
async function writePlugin(plugin: Plugin, served: ServedConfig, { flags, open }: Writing): Promise<Written> {
  const server = hostServer(hostTarget(served, flags), process.platform);
  const about = served.folder === null ? await aboutDocuments(flags, open) : null;
  const folder = pluginFolder(plugin, process.cwd());
  const files = [...pluginFiles(plugin, server, skillText(about))].map(([path, text]) => {
    const file = join(folder, path);
    refuseLinks(process.cwd(), file);
    const isUpdate = existsSync(file);
    if (isUpdate && readFileSync(file, 'utf8') === text)
      return { file, backup: null, isChanged: false, isUpdate };
    makeFolder(dirname(file));
    return { file, backup: putFile(file, text, new Date()), isChanged: true, isUpdate };
  });
  return { files, install: plugin.install(folder) };
}

interface Writing {
  readonly flags: DoctorFlags;
  readonly open: OpenSession;
}

/** Writes the entry of a host. If that fails, prints it, unless the output is JSON. @throws InvalidArgumentError */
function writeTo(id: string, served: ServedConfig, flags: DoctorFlags): WrittenFile {
  const place = thisUser();
  const host = HOSTS.find((each) => each.id === id);
  if (!host) throw new Error(`unknown host ${id}`);
  const server = hostServer(hostTarget(served, flags), place.platform);
  try {
    return writeHostFile(host, server, { place, now: new Date() });
  } catch (error) {
    if (flags.json !== true)
      print(`The entry for ${host.title}, in ${host.file(place)}:\n\n${mergeHostFile('', host, server)}`);
    throw error;
  }
}

function writtenLines(written: Written): string {
  if ('files' in written) {
    const lines = written.files.map(({ file, backup, isChanged }) => {
      const kept = backup ? `; the previous file is ${backup}` : '';
      return isChanged ? `Wrote ${file}${kept}.` : `${file} is up to date.`;
    });
    return [...lines, `Next: ${written.install}`].join('\n');
  }
  const { file, backup, isChanged, isUpdate } = written;
  if (!isChanged) return `${file} already has this server.`;
  const what = isUpdate ? 'Updated the entry in' : 'Added to';
  return `${what} ${file}${backup ? `; the previous file is ${backup}` : ''}. Restart the host.`;
}

const isAllGood = ({ list }: Pick<Found, 'list'>): boolean => list.every(({ isGood }) => isGood);

function jsonOf(found: Found, flags: DoctorFlags): string {
  const { served, list, written } = found;
  const place = thisUser();
  const server = served && hostServer(hostTarget(served, flags), place.platform);
  const hosts = server
    ? HOSTS.map((host) => ({ id: host.id, file: host.file(place), content: mergeHostFile('', host, server) }))
    : [];
  const report = {
    ok: isAllGood(found),
    version: VERSION,
    node: process.versions.node,
    index: served?.config.index.file ?? null,
    findings: list.map(({ isGood, text, hint }) => ({ ok: isGood, text, hint: hint ?? null })),
    server,
    hosts,
    written,
  };
  return JSON.stringify(report, null, 2);
}

const isChanged = (written: Written): boolean =>
  'files' in written ? written.files.some((file) => file.isChanged) : written.isChanged;

function linesOf(found: Found, flags: DoctorFlags): string {
  const { served, list, written } = found;
  const checks = list.map(
    ({ isGood, text, hint }) => `${isGood ? 'ok   ' : 'WRONG'} ${text}${hint ? `\n      ${hint}` : ''}`,
  );
  const rest = written
    ? writtenLines(written)
    : served && hostConfiguration(hostTarget(served, flags), thisUser());
  const warning =
    written && !isAllGood(found) && isChanged(written)
      ? ['It was written, but a check above failed: correct it first.']
      : [];
  return [...checks, ...(rest ? ['', rest] : []), ...warning].join('\n');
}

/** `pith doctor`: checks the installation, and prints or writes the configuration of hosts. */
export async function doctor(flags: DoctorFlags, parts: DoctorParts): Promise<number> {
  const checked = await check(flags, parts);
  const { served } = checked;
  const plugin = PLUGINS.find(({ id }) => id === flags.write);
  const writing = { flags, open: parts.inProcess };
  const written =
    served === null || flags.write === undefined
      ? null
      : plugin
        ? await writePlugin(plugin, served, writing)
        : writeTo(flags.write, served, flags);
  const found = { ...checked, written };
  print(flags.json ? jsonOf(found, flags) : linesOf(found, flags));
  return isAllGood(found) ? EXIT.ok : EXIT.failed;
}
