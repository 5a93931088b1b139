// The pictures of docs/images, from a real run: the search page, the reader, the console and a terminal, over Pith's own
// documentation. Run: npm run screenshots (needs scripts/install-browser.sh). `--dark` and `--width` are for reviews.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'docs', 'images') },
    program: { type: 'string', default: join(root, 'bin', 'pith.js') },
    width: { type: 'string', default: '1280' },
    dark: { type: 'boolean', default: false },
  },
});
const CHROMIUM = '/usr/bin/chromium-headless-shell';
const TOKEN = 'the-token-of-the-screenshots';
const QUESTION = 'What happens when a reply is too large?';
const HEIGHT = 800;

const folder = mkdtempSync(join(tmpdir(), 'pith-screenshots-'));
const index = join(folder, 'index.sqlite');
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  PITH_ADMIN_TOKEN: TOKEN,
  PITH_HTTP_PORT: '0',
  RETRIEVAL_DIAGNOSTICS_DIR: join(folder, 'diagnostics'),
  RETRIEVAL_DIAGNOSTICS_FORCE: '1',
};

function pith(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [values.program, ...args], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0 && status !== 3) throw new Error(`pith ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** @returns {Promise<{ url: string, end: () => void }>} */
function serve() {
  const child = spawn(process.execPath, [values.program, 'http', '--index', index], { env });
  return new Promise((resolve, reject) => {
    let told = '';
    child.stderr.on('data', (data) => {
      told += data;
      const url = /http:\/\/\S+(?=\/mcp)/.exec(told)?.[0];
      if (url) resolve({ url, end: () => child.kill() });
    });
    child.once('exit', () => reject(new Error(told)));
  });
}

const escaped = (text) =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]);

/** What a terminal shows. */
const terminalPage = (command, output) => `<!doctype html><meta charset="utf-8"><style>
body{margin:0;padding:28px;background:#e9e6dc;font:14px/1.5 "Liberation Mono",monospace;color:#e8ebe2}
main{background:#151914;border-radius:12px;padding:14px 22px 22px;box-shadow:0 8px 30px #0004}
i{display:inline-block;width:12px;height:12px;border-radius:50%;background:#3b4338;margin:0 6px 14px 0}
pre{margin:0;white-space:pre-wrap;font:inherit}b{color:#82d3a5}</style>
<main><i></i><i></i><i></i><pre><b>$</b> ${escaped(command)}\n\n${escaped(output)}</pre></main>`;

pith('index', join(root, 'docs'), '--index', index);
const answer = pith('ask', QUESTION, '--index', index);
const server = await serve();
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
try {
  mkdirSync(values.out, { recursive: true });
  const open = async (credentials) => {
    const window = await browser.newContext({
      viewport: { width: Number(values.width), height: HEIGHT },
      colorScheme: values.dark ? 'dark' : 'light',
      ...(credentials ? { httpCredentials: { username: 'operator', password: TOKEN } } : {}),
    });
    return window.newPage();
  };
  const page = await open(false);
  const shoot = (name, at = page) => at.screenshot({ path: join(values.out, `${name}.png`) });
  await page.goto(server.url);
  await page.getByLabel('Search the documents').fill(QUESTION);
  await page.keyboard.press('Enter');
  await page.locator('.hit').first().waitFor();
  await page.locator('.hit summary').first().click();
  await page.evaluate('scrollTo(0, 0)');
  await shoot('search');
  await page.locator('.hit h3 a').first().click();
  await page.locator('mark').first().waitFor();
  await shoot('reader');
  const console = await open(true);
  await console.goto(`${server.url}/admin`);
  await console.locator('tbody th a').first().click();
  await shoot('console', console);
  const blank = await open(false);
  await blank.setContent(terminalPage(`pith ask "${QUESTION}"`, answer));
  await blank.locator('body').screenshot({ path: join(values.out, 'terminal.png') });
} finally {
  await browser.close();
  server.end();
  rmSync(folder, { recursive: true, force: true });
}
