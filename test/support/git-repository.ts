import { execFileSync, type ExecFileSyncOptions, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeFiles } from './write-files.js';

/** A real repository that a test makes. */
export interface TestRepository {
  readonly folder: string;
  /** file:///…/.git */
  readonly url: string;
  readonly git: (...args: readonly string[]) => string;
  /** Writes files and commits everything. @returns the commit */
  readonly commit: (files: Readonly<Record<string, string>>) => string;
}

const ENV = {
  ...process.env,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ida',
  GIT_AUTHOR_EMAIL: 'ida@example.com',
  GIT_COMMITTER_NAME: 'Ida',
  GIT_COMMITTER_EMAIL: 'ida@example.com',
  GIT_AUTHOR_DATE: '2024-03-01T10:00:00Z',
  GIT_COMMITTER_DATE: '2024-03-01T10:00:00Z',
};

const RUN = { env: ENV, stdio: ['ignore', 'pipe', 'pipe'] } satisfies ExecFileSyncOptions;
/** In one process, because Node takes long to start one. */
const COMMIT =
  'git add --all --force && git -c gc.auto=0 commit --quiet --allow-empty -m x && git rev-parse HEAD';

/** The content of repositories that the suite has made, by the files of their first commit. */
const made = new Map<string, Readonly<Record<string, Buffer>>>();

function readFolder(folder: string): Readonly<Record<string, Buffer>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}

/** Makes a repository. Git runs once for each first commit; later repositories are copies. */
export function gitRepository(folder: string, files: Readonly<Record<string, string>> = {}): TestRepository {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', folder, ...args], RUN)
      .toString()
      .trim();
  const commit = (added: Readonly<Record<string, string>>): string => {
    writeFiles(folder, added);
    return execFileSync('sh', ['-c', COMMIT], { ...RUN, cwd: folder })
      .toString()
      .trim();
  };
  const key = JSON.stringify(files);
  const contents = made.get(key);
  if (contents) {
    writeFiles(folder, contents);
  } else {
    execFileSync('git', ['init', '--quiet', '--template=', '-b', 'main', folder], RUN);
    if (Object.keys(files).length > 0) commit(files);
    made.set(key, readFolder(folder));
  }
  // Git knows a repository by the first two, also if they are empty.
  for (const name of ['objects', 'refs', 'hooks']) mkdirSync(join(folder, '.git', name), { recursive: true });
  return { folder, url: `${pathToFileURL(folder).href}/.git`, git, commit };
}

/** Git over HTTP, as a forge serves it. */
export interface GitServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly host: string;
  /** What was asked, with the Authorization header. */
  readonly asked: { readonly url: string; readonly authorization: string | undefined }[];
  readonly close: () => Promise<void>;
}

export interface GitServerOptions {
  /** The header that requests need. */
  readonly authorization?: string;
  /** Answers a request in another way. @returns true if it did */
  readonly answer?: (request: IncomingMessage, response: import('node:http').ServerResponse) => boolean;
}

/** Serves the repositories below a folder with `git http-backend`. */
export async function gitServer(root: string, options: GitServerOptions = {}): Promise<GitServer> {
  const asked: { url: string; authorization: string | undefined }[] = [];
  const server: Server = createServer((request, response) => {
    const { authorization } = request.headers;
    const url = new URL(request.url ?? '', 'http://localhost');
    asked.push({ url: request.url ?? '', authorization });
    if (options.answer?.(request, response)) return;
    if (options.authorization !== undefined && authorization !== options.authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const child = spawn('git', ['http-backend'], {
      env: {
        ...ENV,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        GIT_CONFIG_COUNT: '2',
        GIT_CONFIG_KEY_0: 'uploadpack.allowFilter',
        GIT_CONFIG_VALUE_0: 'true',
        GIT_CONFIG_KEY_1: 'safe.directory',
        GIT_CONFIG_VALUE_1: '*',
      },
    });
    child.stdin.on('error', () => undefined);
    request.pipe(child.stdin);
    const out: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => out.push(data));
    child.once('close', () => {
      const whole = Buffer.concat(out);
      const end = whole.indexOf('\r\n\r\n');
      const headers = whole.subarray(0, end).toString().split('\r\n');
      const status = /^Status: (\d+)/.exec(headers.find((line) => line.startsWith('Status:')) ?? '')?.[1];
      const pairs = headers.flatMap((line) => {
        const at = line.indexOf(':');
        return line.startsWith('Status') || at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()]];
      });
      response.writeHead(Number(status ?? 200), Object.fromEntries(pairs) as Record<string, string>);
      response.end(whole.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
