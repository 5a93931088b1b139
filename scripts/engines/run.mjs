// Installs and starts the engines that tests need, each on a free port, and runs a command with their URLs in its
// environment: `npm run services -- npx jest …`. Without a command, prints the URLs and waits. An engine whose URL is
// already set is not started, for example to test a real Qdrant.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const START_MS = 120_000;

process.env.NEO4J_PASSWORD ??= randomBytes(12).toString('hex');

/** Servers by the variable for their URL. */
const SERVERS = {
  REDIS_URL: 'redis.sh',
  NEO4J_URL: 'neo4j.sh',
  QDRANT_URL: 'qdrant.sh',
  POSTGRES_URL: 'postgres.sh',
};

const running = [];
/** These install Debian packages, one after the other, because apt locks its folders. */
const WITH_APT = ['redis.sh', 'neo4j.sh', 'postgres.sh'];

async function install(script) {
  const child = spawn(join(here, script), ['install'], { stdio: ['ignore', 2, 2] });
  running.push(child);
  const [code, signal] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${script} install ended with ${code ?? signal}`);
}

function start(script) {
  const child = spawn(join(here, script), ['start'], { stdio: ['ignore', 'pipe', 2] });
  running.push(child);
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`${script} did not start within ${START_MS} ms`)),
      START_MS,
    );
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [word, url] = line.split(' ');
      if (word !== 'ready') return;
      clearTimeout(late);
      resolve(url);
    });
  });
}

function stopAll() {
  for (const child of running) child.kill('SIGTERM');
}

/** Models and generators of sites are files; these variables hold their folders. */
const FILES = { ONNX_MODELS: 'onnx', SITE_GENERATORS: 'sites' };

async function installFiles([variable, name]) {
  if (process.env[variable] !== undefined) return;
  await install(`${name}.sh`);
  process.env[variable] = join(process.env.ENGINES_HOME ?? join(here, '..', '..', '.engines'), name);
}

async function startAll() {
  const missing = Object.entries(SERVERS).filter(([name]) => process.env[name] === undefined);
  const scripts = missing.map(([, script]) => script);
  const withApt = async () => {
    for (const script of scripts.filter((name) => WITH_APT.includes(name))) await install(script);
  };
  const others = scripts.filter((name) => !WITH_APT.includes(name)).map(install);
  await Promise.all([...Object.entries(FILES).map(installFiles), withApt(), ...others]);
  const urls = await Promise.all(missing.map(([, script]) => start(script)));
  missing.forEach(([name], i) => (process.env[name] = urls[i]));
}

async function main([command, ...args]) {
  await startAll();
  if (command === undefined) {
    for (const name of [...Object.keys(SERVERS), 'NEO4J_PASSWORD', ...Object.keys(FILES)])
      console.log(`export ${name}=${process.env[name] ?? ''}`);
    await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
    return 0;
  }
  const child = spawn(command, args, { stdio: 'inherit' });
  running.push(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    stopAll();
    process.exitCode = 1;
  });
}
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
} finally {
  stopAll();
}
