import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Environment, pickEnvironment } from '../../config/config.js';
import { BackendUnavailableError, codeIn } from '../../core/errors.js';
import { plainLine } from '../../text/plain-line.js';
import { withoutSecrets } from '../source-secret.js';

/** Output of commands that list. A tree of 100,000 files has about 10 MB. */
const MAX_OUTPUT_BYTES = 64_000_000;
const MAX_STDERR_CHARS = 8_000;
const SHOWN_CHARS = 300;

/** Variables for connections; git receives nothing else of the environment. */
const INHERITED = [
  ...['PATH', 'SYSTEMROOT', 'TMPDIR', 'TEMP', 'SSH_AUTH_SOCK', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['http_proxy', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'],
];

/** How git is run for one source. */
export interface GitPlace {
  /** The bare repository that keeps what was transferred. */
  readonly repository: string;
  /** Settings, by name. They reach git in its environment: arguments are visible to other users of the machine. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** The only protocol that git may use. */
  readonly protocol: string;
  /** Values that are never shown. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

/** Settings that hold for every run. A repository of somebody else can set none of them. */
const HARDENED: GitPlace['settings'] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.symlinks', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['credential.interactive', 'false'],
  ['http.followRedirects', 'false'],
  ['http.emptyAuth', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.unpackLimit', '1'],
  ['fetch.writeCommitGraph', 'false'],
  ['transfer.bundleURI', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['protocol.version', '2'],
];

/** The whole environment of git: no file with settings of the system or the user, no question, no helper. */
export function gitEnvironment({ settings, protocol }: GitPlace): Environment {
  const all = [...HARDENED, ...settings];
  const named = all.flatMap(([name, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, name],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return {
    ...pickEnvironment(INHERITED),
    // A user's .netrc has passwords of other hosts.
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(named),
  };
}

/** The command that transfers, and nothing else. */
export const FETCH = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];

/** A failed run of git, with its last words and without secrets. */
export class GitError extends BackendUnavailableError {
  /** @param problem  a line that git wrote to stderr */
  constructor(
    readonly problem: string,
    { reason, hint }: { readonly reason: string; readonly hint: string },
  ) {
    super(`git: ${problem}`, { reason, hint });
  }
}

type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts git in the repository of a source. Its output is for the caller. */
export function startGit(args: readonly string[], place: GitPlace): GitProcess {
  return spawn('git', ['--git-dir', place.repository, '--no-pager', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...gitEnvironment(place) },
    signal: place.signal,
    // `git fetch` starts helpers. They end when their pipes close.
    killSignal: 'SIGTERM',
  });
}

/** Runs git to its end. @param input  for stdin @returns its output @throws GitError; the reason of an aborted signal */
export async function runGit(args: readonly string[], place: GitPlace, input = ''): Promise<Buffer> {
  place.signal.throwIfAborted();
  const child = startGit(args, place);
  const out: Buffer[] = [];
  let [bytes, stderr] = [0, ''];
  child.stdout.on('data', (data: Buffer) => {
    bytes += data.length;
    if (bytes > MAX_OUTPUT_BYTES) child.kill();
    else out.push(data);
  });
  child.stderr.on('data', (data: Buffer) => (stderr = (stderr + data.toString()).slice(-MAX_STDERR_CHARS)));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await ended(child, place.signal);
  if (bytes > MAX_OUTPUT_BYTES) throw tooLong();
  if (code !== 0) throw gitFailure(stderr, place);
  return Buffer.concat(out);
}

/** Waits for the end of a run. @returns its exit code; null after a signal @throws the reason of an aborted signal */
export function ended(child: GitProcess, signal: AbortSignal): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (signal.aborted) reject(signal.reason as Error);
      else reject(codeIn(error) === 'ENOENT' ? withoutGit() : error);
    });
    child.once('close', (code) => {
      if (signal.aborted) reject(signal.reason as Error);
      else resolve(code);
    });
  });
}

const tooLong = (): GitError =>
  new GitError('the list of files is too long', {
    reason: 'source_too_large',
    hint: 'Give a branch and a folder of the repository: ADDRESS#BRANCH:FOLDER.',
  });

const INSTALL = { reason: 'git_missing', hint: 'Install git 2.37 or later, and have it on PATH.' };

const withoutGit = (): GitError => new GitError('the program is not installed', INSTALL);

/**
 * Checks that git connects to the addresses that were checked: older versions ignore `http.curloptResolve`.
 * @throws GitError
 */
export async function checkVersion(place: GitPlace): Promise<void> {
  if (!/^https?$/.test(place.protocol)) return;
  const version = (await runGit(['version'], place)).toString().trim();
  const [, major, minor] = (/^git version (\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  const isNew = major !== undefined && minor !== undefined && (major > 2 || (major === 2 && minor >= 37));
  if (!isNew) throw new GitError(`${plainLine(version).slice(0, SHOWN_CHARS)} is too old`, INSTALL);
}

/** Messages of git, and what to do about them. */
const ADVICE: readonly (readonly [pattern: RegExp, reason: string, hint: string])[] = [
  [
    /could not read Username|Authentication failed|HTTP code = 40[13]|error: 40[13]|Permission denied|terminal prompts disabled/i,
    'source_refused',
    'Put a token into a variable of the environment, and name it as the `secret` of the source.',
  ],
  [
    /repository.{0,300} not found|does not exist|does not appear to be a git repository|error: 404/i,
    'source_missing',
    'Check the address, and whether a secret is needed to see the repository.',
  ],
  [
    /dubious ownership/i,
    'source_refused',
    'The repository belongs to another user. Change its owner, or serve it over https.',
  ],
  [
    /redirect|returned error: 30\d/i,
    'source_moved',
    'The address redirects, which is not followed. Give the address that it leads to.',
  ],
  [
    /Host key verification failed/i,
    'source_refused',
    'Add the key of the host to known_hosts: connect to it once with ssh.',
  ],
];

function gitFailure(stderr: string, { secrets }: GitPlace): GitError {
  const lines = withoutSecrets(stderr, secrets)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const line =
    lines.find((line) => /^(?:fatal|error|remote error)/i.test(line)) ?? lines.at(-1) ?? 'it failed';
  const all = lines.join('\n');
  const [, reason = 'source_unavailable', hint = 'Check the address and the network, and try again.'] =
    ADVICE.find(([pattern]) => pattern.test(all)) ?? [];
  return new GitError(plainLine(line).slice(0, SHOWN_CHARS), { reason, hint });
}
