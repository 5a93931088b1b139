import { createHash } from 'node:crypto';
import { Html } from '../views/html.js';
import { BASE_STYLE } from '../views/page-style.js';

const PAGE_STYLE = `
body{font-size:1.0625rem;line-height:1.6}
.wrap{max-width:44rem}
.page-wide .wrap{max-width:66rem}
.top nav a,.top .who{font-size:.9375rem}
.top .who{color:var(--soft)}
.top nav ul{align-items:center}
main{gap:1.5rem;padding-block:2rem 3rem}
.ask{display:grid;gap:.75rem}
.ask .together{display:flex;gap:.5rem}
.filters label{color:var(--soft);font-size:.9375rem}
input,select,button{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--soft);border-radius:.6rem;padding:.5rem .8rem;min-height:3rem;min-width:0;max-width:100%}
input:focus-visible,select:focus-visible,button:focus-visible{border-radius:.6rem}
input:focus-visible{border-color:var(--accent);outline-offset:0}
::placeholder{color:var(--soft);opacity:1}
input[type=search]{text-overflow:ellipsis;flex:1;width:100%;font-size:1.125rem;appearance:none}
button{flex:none;background:var(--accent);border-color:var(--accent);color:var(--card);font-weight:600;padding-inline:1.25rem;cursor:pointer}
button:hover{filter:brightness(1.08)}
.filters{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem}
.filters div{display:flex;align-items:center;gap:.5rem;min-width:0}
.filters select{max-width:16rem;min-height:2.25rem;padding:.2rem .5rem;font-size:.9375rem}
.keys{color:var(--soft);font-size:.875rem}
kbd{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;padding:.1em .4em;border:1px solid var(--line);border-bottom-width:2px;border-radius:.3rem;background:var(--card)}
body:not(.page-start) .ask h1{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
body:not(.page-start) .keys,body:not(.page-start) .connect{display:none}
.page-start main{padding-top:clamp(2rem,12vh,8rem)}
.page-start .ask{gap:1rem}
.says{display:grid;gap:.25rem;padding-inline-start:1rem;border-inline-start:4px solid var(--soft)}
.says.likely{border-color:var(--good)}.says.unsure{border-color:var(--warn)}.says.unlikely{border-color:var(--bad)}
.says h2{font-size:1.125rem}
.says p{color:var(--soft);font-size:.9375rem;max-width:56ch}
#answer{display:grid;gap:1.5rem;grid-template-columns:minmax(0,1fr)}
#answer:empty{display:none}
#answer[aria-busy=true]{opacity:.55}
.hit{display:grid;gap:.6rem;grid-template-columns:minmax(0,1fr);padding-bottom:1.5rem;border-bottom:1px solid var(--line)}
.hit:last-child{border-bottom:0}
.hit h3{font-size:1.1875rem;line-height:1.3}
.hit h3 a{text-decoration:none}
.hit h3 a:hover{text-decoration:underline}
.above,.from{color:var(--soft);font-size:.875rem;overflow-wrap:anywhere}
.from{display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .9rem}
main>.above{margin-bottom:-1rem}
.from a{color:inherit}
.hit>blockquote{margin:0;padding-block:.1rem;padding-inline-start:1rem;border-inline-start:2px solid var(--line)}
details>summary{cursor:pointer;color:var(--accent);font-size:.9375rem;padding-block:.25rem;width:fit-content}
details[open]>summary{margin-bottom:.5rem}
.section{padding:1rem 1.25rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.text{display:grid;gap:.85rem;grid-template-columns:minmax(0,1fr);overflow-wrap:anywhere}
.text>*{max-width:56ch}
.text>pre,.text>.scroll{max-width:none}
.text p,.text li,.text h1,.text h2,.text h3,.text h4,.text h5,.text h6{unicode-bidi:plaintext}
pre,code{direction:ltr;unicode-bidi:isolate}
.text ul{list-style:disc;padding-inline-start:1.5rem}.text ol{list-style:decimal;padding-inline-start:1.75rem}
.text li+li{margin-top:.25rem}
.text li>ul,.text li>ol{margin-top:.25rem}
.text blockquote{margin:0;padding-inline-start:1rem;border-inline-start:2px solid var(--line);color:var(--soft)}
.text hr{width:100%;border:0;border-top:1px solid var(--line);margin-block:.5rem}
.text h1,.text h2,.text h3,.text h4,.text h5,.text h6{line-height:1.3;font-weight:650;letter-spacing:-.005em;text-wrap:balance}
.text h2{font-size:1.375rem;margin-top:1.25rem}.text h3{font-size:1.1875rem;margin-top:.75rem}.text h4{font-size:1.0625rem;margin-top:.5rem}.text h5,.text h6{font-size:1rem}
.text :target{text-decoration:underline;text-decoration-color:var(--accent);text-decoration-thickness:2px;text-underline-offset:.25em}
pre{margin:0;padding:.75rem 1rem;overflow:auto;text-align:left;background:var(--ground);border-radius:.5rem;font-size:.9375rem;line-height:1.5;white-space:pre}
pre code{font-size:.9375em}
code{background:var(--ground);border-radius:.25rem;padding:.1em .3em}
pre code{background:none;padding:0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.9375rem;line-height:1.45}
th,td{padding:.4rem .75rem;text-align:start;vertical-align:top;border-bottom:1px solid var(--line);min-width:6rem;overflow-wrap:break-word}
th:first-child,td:first-child{padding-inline-start:0}
td:first-child code{white-space:nowrap}
th{font-weight:600}
mark{background:var(--mark);color:var(--ink);border-radius:.15rem;box-shadow:0 0 0 .1em var(--mark)}
:root{--mark:#fdeaa6}
@media (prefers-color-scheme:dark){:root{--mark:#5a4a12}}
.tag{padding:0 .45rem;border:1px solid var(--line);border-radius:.4rem}
.connect{color:var(--soft);font-size:.9375rem}
.connect pre{margin-block:.5rem}
.more{font-weight:600}
.with-contents>nav{display:none}
@media (min-width:64rem){
.with-contents{display:grid;grid-template-columns:minmax(0,42rem) minmax(12rem,1fr);gap:3rem;align-items:start}
.with-contents>nav{display:block;order:2;position:sticky;top:1.5rem;max-height:calc(100vh - 3rem);overflow:auto}}
.contents{font-size:.9375rem}
.contents ul{display:grid;gap:.35rem}
.contents h2{font-size:.875rem;color:var(--soft);margin-bottom:.5rem}
.contents a{color:inherit;text-decoration:none}
.contents a:hover{text-decoration:underline}
.contents .deep{padding-inline-start:1rem}
.top form{flex:1 1 12rem;max-width:22rem}
.top input{min-height:2.25rem;font-size:.9375rem;padding:.25rem .7rem}
@media (max-width:44rem){
main{padding-block:1.25rem 2rem}
.ask button{padding-inline:.75rem}
input[type=search]{font-size:1rem}
.keys{display:none}
.section{padding:.75rem 1rem}}
@media (prefers-reduced-motion:no-preference){#answer{transition:opacity .15s}}
`;

/**
 * What the search page does besides a form: it answers without loading the page again, and the keyboard moves among the
 * results. Without it, everything works by links and forms.
 */
const PAGE_SCRIPT = `
(() => {
const form = document.querySelector('form.ask'), field = form && form.elements.q, answer = document.getElementById('answer');
if (!form || !answer) return;
const titles = () => [...answer.querySelectorAll('h3 a')];
let turn = 0;
const show = async (url, isNew) => {
  const mine = ++turn;
  answer.setAttribute('aria-busy', 'true');
  try {
    const reply = await fetch(url, { headers: { 'X-Pith-Part': 'answer' }, credentials: 'same-origin' });
    const text = await reply.text();
    if (mine !== turn) return;
    if (!reply.ok || reply.redirected) throw new Error('whole page');
    answer.innerHTML = text;
    document.body.classList.remove('page-start');
    document.title = (field.value ? field.value.slice(0, 80) + ' · ' : '') + 'Search';
    if (isNew) history.pushState(null, '', url);
    answer.removeAttribute('aria-busy');
  } catch {
    if (mine === turn) location.assign(url);
  }
};
const address = () => {
  const given = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
  return '/?' + given;
};
form.addEventListener('submit', (event) => {
  if (field.value.trim() === '') return;
  event.preventDefault();
  show(address(), true);
});
form.addEventListener('change', (event) => {
  if (event.target !== field && field.value.trim() !== '') show(address(), true);
});
addEventListener('popstate', () => location.reload());
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const at = document.activeElement, isTyping = /^(?:INPUT|SELECT|TEXTAREA)$/.test(at.tagName);
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    field.focus();
    field.select();
  }
  if (event.key === 'Escape' && at === field) field.blur();
  if (event.key === 'Escape' && titles().includes(at)) field.focus();
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const all = titles(), place = all.indexOf(at);
  if (step === 0 || all.length === 0 || (isTyping && at !== field) || (place < 0 && at !== field)) return;
  const next = place + step;
  if (place < 0 && step < 0) return;
  event.preventDefault();
  (next < 0 ? field : all[Math.min(next, all.length - 1)]).focus();
});
})();
`;

const STYLE_TEXT = `${BASE_STYLE}${PAGE_STYLE}`;
const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Style and script of the pages. Each is one constant, because the policy names the hash of its exact text. */
export const PEOPLE_STYLE = Html.trusted(`<style>${STYLE_TEXT}</style>`);
export const PEOPLE_SCRIPT = Html.trusted(`<script>${PAGE_SCRIPT}</script>`);

const ALWAYS = `default-src 'none'; style-src ${sourceHash(STYLE_TEXT)}; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** The policies of pages: documents are shown without any script; the search page has its own alone. */
export const READER_POLICY = ALWAYS;
export const SEARCH_POLICY = `${ALWAYS}; script-src ${sourceHash(PAGE_SCRIPT)}; connect-src 'self'`;
