// Draws look-ups from a documentation: names that exactly one of its pages defines, in a heading, a list of terms or the first
// cell of a table row; options of a page, such as `Get-ChildItem -Depth`; and versions with release notes. Reads the source files, so that it doesn't depend on how Pith reads them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from '../measure.mjs';

const PER_KIND = { heading: 40, term: 30, owned: 20, version: 10 };
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', para: '' };
const CHANGES = /change|release|news|history|what-?s-?new|new_?features/i;
/** Lists of everything, which define nothing. */
const LISTS = /index|contents|toc|quickreference|directives|directive-dict|glossary|search/i;

/** The text that readers see, with code in backticks. */
function toText(html) {
  return html
    .replace(/<a class="(?:headerlink|permalink)".*?<\/a>/gs, '')
    .replace(/<\/?(?:code|kbd|tt)\b[^>]*>/g, '`')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole)
    .replace(/[¶\s]+/g, ' ')
    .replace(/^[\d.]+ /, '')
    .trim();
}

/** What a page may define: headings and terms, as text; and its titles. */
function readDefined(path, source) {
  if (/\.html?$/.test(path)) {
    const all = (pattern) => [...source.matchAll(pattern)].map(([, html]) => toText(html));
    return {
      titles: all(/<h1\b[^>]*>(.*?)<\/h1>/gs),
      headings: all(/<h[1-6]\b[^>]*>(.*?)<\/h[1-6]>/gs),
      terms: [
        ...all(/<dt\b[^>]*>(.*?)<\/dt>/gs),
        ...all(/<tr\b[^>]*>\s*(?:<td[^>]*>\s*<\/td>\s*)*<td[^>]*>(.*?)<\/td>/gs),
      ],
    };
  }
  const prose = source.replace(/^( *)(```+|~~~+)[^\n]*\n.*?^\1\2/gms, '');
  const all = (pattern) =>
    [...prose.matchAll(pattern)].map(([, text]) => text.replace(/<[^>]*>/g, '').trim());
  return {
    titles: [...source.matchAll(/^(?:# |title: *)(.*?)(?: *#* *\{.*\}| +#+)?$/gm)].map(([, text]) =>
      text.trim(),
    ),
    headings: all(/^#{1,6} +(.*?)(?: *#* *\{.*\}| +#+)?$/gm),
    terms: [
      ...all(/^ *[-*+] +(?:\*\*)?(`[^`\n]+`)(?:\*\*)?(?: *[:{(<–—]| - )/gm),
      ...all(/^\| *(`[^`\n]+`) *\|/gm),
    ],
  };
}

const KINDS_OF_THING =
  'directive|option|flag|setting|property|method|function|class|event|module|command|parameter|variable|header|hook|statement|type|interface|error|file';
const HEADING = new RegExp(
  `^(?:(?:${KINDS_OF_THING})s?:? +)?[\`'"]*(-{0,2}[\\w@$][\\w@$./:-]*[\\w$])[\`'"]*(?:\\s*\\(.*\\))?[\`'"]*(?: (?:${KINDS_OF_THING}))?$`,
  'i',
);
const TERM =
  /^(?:`?-\w`?(?: [A-Z]+`?)?, )?(?:(?:class|static|async|classmethod|property) )?`?(-{0,2}[\w@$][\w@$./:-]*[\w$])`?(?:\(|\s*[=[<]|\s+`?[A-Z_]{1,20}\b|$)/;
/** Signs, digits or capitals within a word: no word of a language. */
const TELLING = /^-|[_.:/$@]|\p{Ll}\p{Lu}|\w-\w/u;
/** Values and types, which no page defines. */
const VALUE = /^(?:true|false|null|none|object|string|number|boolean|function|array|integer|undefined)$/i;
const VERSION = /^(?:.{0,40} )?v?(\d+\.\d+(?:\.\d+)*)(?: .{0,40})?$/;

/** The name in a heading or term, as one asks for it; null if it is none. */
function nameIn(text, pattern) {
  if (text.length > 160) return null;
  const name = pattern.exec(text)?.[1] ?? null;
  if (name === null || name.length < 3 || !/[a-z]{2}/i.test(name) || /^\d/.test(name)) return null;
  if (TELLING.test(name)) return name;
  return text.includes('`') && /^[a-z]{4,}$/i.test(name) && !VALUE.test(name) ? `\`${name}\`` : null;
}

const QUESTIONS = [
  (name) => name,
  (name) => `what does ${name} do`,
  (name) => `What is ${name}?`,
  (name) => `how do I use ${name}`,
  (name) => `explain \`${name.replaceAll('`', '')}\``,
  (name) => `${name} ${name.startsWith('-') ? 'option' : 'documentation'}`,
];
const OF_OWNED = [
  (name, owner) => `${owner} ${name}`,
  (name, owner) => `what does ${name} do in ${owner}`,
  (name, owner) => `What is the ${name} option of ${owner}?`,
];
const OF_VERSIONS = [
  (name) => `what changed in ${name}`,
  (name) => `What's new in ${name}?`,
  (name) => `release notes ${name}`,
];

/** The first items of a list in an order that is always the same. */
function draw(items, count, random) {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ item }) => item);
}

/** @returns look-ups `{ kind, question, name, path, written }`; `written` is the heading or term that defines the name */
export function drawLookups(folder) {
  const found = new Map();
  const versions = new Map();
  const add = (to, key, row) => to.set(key, [...(to.get(key) ?? []), row]);
  for (const path of readdirSync(folder, { recursive: true }).sort()) {
    if (!/\.(?:html?|md|mdx)$/.test(path)) continue;
    const { titles, headings, terms } = readDefined(path, readFileSync(join(folder, path), 'utf8'));
    if (CHANGES.test(path)) {
      for (const written of headings) {
        const version = VERSION.exec(written.replace(/[[\]]/g, ''))?.[1];
        if (version) add(versions, version, { kind: 'version', name: version, path, written });
      }
      continue;
    }
    if (LISTS.test(path)) continue;
    const title = titles.find((text) => !/documentation$/i.test(text)) ?? '';
    const owner = /^\S+(?: \S+)?$/.test(title) ? title.replaceAll('`', '') : null;
    const rows = (texts, kind, pattern) =>
      texts.map((written) => ({ kind, name: nameIn(written, pattern), path, written, owner }));
    const own = [...rows(headings, 'heading', HEADING), ...rows(terms, 'term', TERM)];
    for (const row of own) if (row.name) add(found, row.name.replaceAll('`', '').toLowerCase(), row);
  }
  const isClear = (rows) => new Set(rows.map(({ path }) => path)).size === 1;
  const random = randomFrom(39);
  const clear = [...found.values(), ...versions.values()].filter(isClear).map(([row]) => row);
  const owned = [...found.values()]
    .filter((rows) => !isClear(rows))
    .flat()
    .filter(({ name, owner }) => name.startsWith('-') && owner !== null)
    .map((row) => ({ ...row, kind: 'owned' }));
  const forms = { heading: QUESTIONS, term: QUESTIONS, owned: OF_OWNED, version: OF_VERSIONS };
  return Object.entries(PER_KIND).flatMap(([kind, count]) => {
    const drawn = draw(
      [...clear, ...owned].filter((row) => row.kind === kind),
      count,
      random,
    );
    const own = forms[kind];
    return drawn.map((row, at) => ({ ...row, question: own[at % own.length](row.name, row.owner) }));
  });
}
