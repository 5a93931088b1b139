import { FENCE_WORDS } from '../mcp/rendering/cautious-text.js';
import type { ResultView } from '../mcp/surface/views.js';

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 12px; font: 15px/1.5 var(--font-sans, system-ui, sans-serif); overflow-wrap: anywhere;
  color: var(--color-text-primary, light-dark(#1c1c1a, #ecebe6));
  background: var(--color-background-primary, light-dark(#fff, #1b1b1a)); }
h1, h2, p { margin: 0; }
h1 { font-size: 1rem; }
h2 { font-size: 1em; margin-top: 18px; }
.quiet { color: var(--color-text-secondary, light-dark(#5b5a55, #b3b1a9)); font-size: 13px; }
.warning { margin-top: 8px; padding-inline-start: 12px; font-size: 13px;
  border-inline-start: 3px solid light-dark(#8a6100, #e0b050); }
.verdict { font-weight: 600; margin-top: 4px; }
.verdict::before { content: ""; display: inline-block; width: .6em; height: .6em; margin-inline-end: .5em;
  border-radius: 50%; background: light-dark(#8a6100, #e0b050); }
.likely::before { background: light-dark(#22733a, #6cc58a); }
.unlikely::before { background: light-dark(#a4352c, #ef8b80); }
blockquote { margin: 8px 0; padding-inline-start: 12px; white-space: pre-wrap;
  border-inline-start: 3px solid var(--color-border-primary, light-dark(#cfcdc4, #55534d)); }
.code { font: 13px/1.5 var(--font-mono, ui-monospace, monospace); }
.section { margin: 8px 0; padding: 10px; max-height: 420px; overflow: auto; white-space: pre-wrap;
  border-radius: var(--border-radius-md, 6px); background: var(--color-background-secondary, light-dark(#f5f4ef, #262624)); }
mark { color: inherit; background: light-dark(#fbe7a1, #5d4c12); }
button { margin-inline-end: 12px; padding: 2px 0; border: 0; background: none; font: inherit; font-size: 13px;
  cursor: pointer; text-decoration: underline; color: var(--color-text-info, light-dark(#1f5fa8, #8ab9f1)); }
`;

/**
 * The script of the page, without a library. Texts of documents and of the host become text nodes only, and no attribute
 * has a value of theirs.
 */
const SCRIPT = String.raw`'use strict';
const view = document.getElementById('view');
const waiting = new Map();
let lastId = 0, can = {}, question = '', excerptTool = 'kb_read_excerpt', isReady = false;

const send = (message) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const request = (method, params) => new Promise((resolve, reject) => {
  waiting.set(++lastId, { resolve, reject });
  send({ id: lastId, method, params });
});
function make(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}
const isText = (value) => typeof value === 'string' && value !== '';
const listOf = (value) => (Array.isArray(value) ? value : []);
const dataOf = ({ structuredContent: sent }) => (sent && sent.data) || sent;
const readText = ({ content }) => listOf(content).map(({ text }) => text).filter(isText).join('\n\n');

const VERDICTS = {
  likely: 'An answer is likely',
  unsure: 'An answer is uncertain: check if these quotes answer the question',
  unlikely: 'An answer is unlikely: the documents probably do not contain it',
};

async function readExcerpts(passage_id) {
  let text = '', start_char = 0;
  for (let i = 0; i < 50 && start_char !== null; i++) {
    const args = { passage_id, start_char, max_tokens: 800 };
    const result = await request('tools/call', { name: excerptTool, arguments: args });
    const part = dataOf(result);
    if (result.isError || !part || !isText(part.excerpt)) throw new Error('no excerpt');
    text += part.excerpt;
    start_char = part.next_start_char;
  }
  return text;
}
async function readSection(uri, id) {
  if (!can.serverResources || !uri) return readExcerpts(id);
  const { contents } = await request('resources/read', { uri });
  return contents[0].text;
}

/** The parts of a section, with its quotes marked. */
function marked(text, quotes) {
  const parts = [];
  let done = 0;
  for (const { quote, start_char } of quotes) {
    const at = text.startsWith(quote, start_char) ? start_char : text.indexOf(quote, done);
    if (at < done) continue;
    parts.push(text.slice(done, at), make('mark', {}, quote));
    done = at + quote.length;
  }
  return [...parts, text.slice(done)];
}

function opener(quotes, uri) {
  const panel = make('div', { class: 'section', hidden: '', tabindex: '0', dir: 'auto' });
  const button = make('button', { type: 'button', 'aria-expanded': 'false' }, 'Show the whole section');
  button.addEventListener('click', async () => {
    const isOpen = !panel.hidden;
    panel.hidden = isOpen;
    button.setAttribute('aria-expanded', String(!isOpen));
    button.textContent = isOpen ? 'Show the whole section' : 'Hide the section';
    if (isOpen || panel.firstChild) return;
    panel.append('…');
    try {
      panel.replaceChildren(...marked(await readSection(uri, quotes[0].passage_id), quotes));
      panel.querySelector('mark')?.scrollIntoView({ block: 'nearest' });
    } catch {
      panel.replaceChildren('The section can no longer be read. Ask the question again.');
    }
  });
  return [button, panel];
}

function linkTo(url) {
  if (!can.openLinks || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return [];
  const link = make('button', { type: 'button' }, 'Open at ' + new URL(url).host);
  link.addEventListener('click', () => request('ui/open-link', { url }).catch(() => undefined));
  return [link];
}

const CODE = /^ *(?:${'`'}{3}|~{3})/m;

/** A quote, without the line breaks within its paragraphs. */
function block(quote) {
  if (CODE.test(quote)) return make('blockquote', { class: 'code' }, quote);
  return make('blockquote', { dir: 'auto' }, quote.replace(/(?<=\S)\n(?=\p{L})/gu, ' '));
}

function source({ section_id, title, doc_tag, url }, { quotes, passage_uri }) {
  const cited = listOf(quotes).filter((quote) => quote.section_id === section_id)
    .sort((a, b) => a.start_char - b.start_char);
  if (cited.length === 0) return '';
  const uri = isText(passage_uri) ? passage_uri.replace('{passage_id}', cited[0].passage_id) : '';
  const canRead = can.serverTools || (can.serverResources && uri);
  const [open, panel] = canRead ? opener(cited, uri) : ['', ''];
  return make('article', {}, make('h2', { dir: 'auto' }, title),
    make('p', { class: 'quiet', dir: 'auto' }, section_id + (isText(doc_tag) ? ' · ' + doc_tag : '')),
    ...cited.map(({ quote }) => block(quote)), make('p', {}, open, ...linkTo(url)), panel);
}

/** The warnings of a reply. That of marks is for agents: quotes have none here, and the note of repositories says it. */
const warnings = ({ _meta, structuredContent: sent }) => listOf((_meta && _meta['pith/warnings']) || (sent && sent.warnings))
  .filter((text) => isText(text) && !text.includes('${FENCE_WORDS}'));

/** Notes about a reply. Its hint is for agents. */
function notes({ parts_without_evidence, partial }, result) {
  const { repositories } = (result._meta && result._meta['pith/untrusted']) || {};
  const untrusted = repositories ? ['Some quotes are from repositories that are not trusted: ' + listOf(repositories).join(', ')] : [];
  return [
    ...[...untrusted, ...warnings(result)].map((text) => [text, 'warning']),
    ...listOf(parts_without_evidence).map((part) => ['No evidence for: ' + part, 'quiet']),
    ...(partial ? [['Some quotes were left out, because the reply would have been too large.', 'quiet']] : []),
  ].map(([text, kind]) => make('p', { class: kind, dir: 'auto' }, text));
}

function show(result) {
  const data = dataOf(result);
  const heading = question === '' ? [] : [make('h1', { dir: 'auto' }, question)];
  if (result.isError || !data || !Array.isArray(data.quotes))
    return view.replaceChildren(...heading, ...notes({}, result), make('div', { class: 'section', dir: 'auto' }, readText(result)));
  const verdict = Object.hasOwn(VERDICTS, data.answerable) ? data.answerable : 'unsure';
  const found = listOf(data.sources).map((each) => source(each, data));
  const none = found.length === 0 ? [make('p', { class: 'quiet' }, 'There are no quotes.')] : [];
  view.replaceChildren(...heading, make('p', { class: 'verdict ' + verdict }, VERDICTS[verdict]),
    ...notes(data, result), ...none, ...found);
}

function adopt({ theme, styles, toolInfo } = {}) {
  const { style } = document.documentElement;
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme;
  for (const [name, value] of Object.entries((styles && styles.variables) || {}))
    if (name.startsWith('--') && isText(value)) style.setProperty(name, value);
  if (toolInfo && toolInfo.tool && String(toolInfo.tool.name).includes('.')) excerptTool = 'kb.read_excerpt';
}

const NOTES = {
  'ui/notifications/tool-input': (params) => {
    question = String(((params && params.arguments) || {}).question || '');
  },
  'ui/notifications/tool-result': show,
  'ui/notifications/tool-cancelled': () => view.replaceChildren('The call was cancelled.'),
  'ui/notifications/host-context-changed': adopt,
};

window.addEventListener('message', ({ source: sender, data }) => {
  if (sender !== window.parent || !data || data.jsonrpc !== '2.0') return;
  const { id, method, params, result, error } = data;
  if (method === undefined) {
    const { resolve, reject } = waiting.get(id) || {};
    waiting.delete(id);
    if (resolve) error ? reject(new Error(error.message)) : resolve(result);
  } else if (id === undefined) {
    if (Object.hasOwn(NOTES, method)) NOTES[method](params);
  } else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} });
  else send({ id, error: { code: -32601, message: 'Method not found' } });
});

new ResizeObserver(() => {
  const { width, height } = document.documentElement.getBoundingClientRect();
  const params = { width: Math.ceil(width), height: Math.ceil(height) };
  if (isReady) send({ method: 'ui/notifications/size-changed', params });
}).observe(document.documentElement);

request('ui/initialize', {
  protocolVersion: '2026-01-26',
  appInfo: { name: 'pith-evidence', version: '1.0.0' },
  appCapabilities: { availableDisplayModes: ['inline'] },
}).then((host) => {
  can = host.hostCapabilities || {};
  adopt(host.hostContext);
  isReady = true;
  send({ method: 'ui/notifications/initialized' });
});
`;

/** A page that shows a reply of evidence: the verdict, the quotes in their sections, and the whole section on request. */
export const EVIDENCE_VIEW: ResultView = {
  uri: 'ui://pith/evidence',
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>Evidence</title>
<style>${STYLE}</style>
</head>
<body>
<main id="view" aria-live="polite"><p class="quiet">Searching the documents …</p></main>
<script>${SCRIPT}</script>
</body>
</html>
`,
};
