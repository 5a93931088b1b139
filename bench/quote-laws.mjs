// Counts quotes that nobody should read: syntax without text, link lists, and pieces of code lines.
//   npm run build && node bench/quote-laws.mjs INDEX… [--questions 2000] [--dist dist/]
// Asks random questions, made from the words of headings and sentences, and checks both ends of every quote. The checks
// are written apart from the rules in src/text, so that they can find their gaps. Exits with 1 if a law is broken.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { connect, randomFrom } from './measure.mjs';

const args = process.argv.slice(2);
const option = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
const QUESTIONS = Number(option('--questions', '2000'));
const dist = resolve(option('--dist', new URL('../dist', import.meta.url).pathname));
const indexes = args.filter((arg, i) => !arg.startsWith('--') && !args[i - 1]?.startsWith('--'));
const EXAMPLES = 4;

const load = createRequire(`${dist}/x.js`);
const { makePort } = load('./sqlite/reader-ports.js');
const { SqliteReader } = load('./sqlite/reader-ports.js');
const { embedderNamed } = load('./sqlite/latent/embedder-named.js');

/** An admonition with text: its mark says what the text is for. */
const ADMONITION = /^(?::::|!!! |\?\?\?|\/\/\/ |(?:> )?\[!)[^\n]*\n[\s>]*[^\s>]/;
const withoutCode = (line) => line.replace(/`[^`]*`/g, 'x');
const LINE_LAWS = {
  'link definition': (line) => /^\[[^\]^][^\]]*\]:\s+\S+$/.test(line),
  image: (line) => line.includes('![') && line.replace(/!\[.*?\]\(.*?\)|[[\]\s]|\(.*?\)/g, '') === '',
  'template tag': (line) => /^(?:\{[%*#].*\}|\{\{[<%#].*\}\}|\{\/\*.*|.*\*\/\})$/.test(line),
  'mark or container': (line) => /^(?::::|!!! |\?\?\?|\/\/\/|=== "|\[!\w|<<< |-+8<-)/.test(line),
  tag: (line) => /^(?:<\/?[A-Za-z][\w.-]*(?:\s[^<>]*)?\/?>\s*)+$/.test(withoutCode(line)),
  'module code': (line) => /^import .*from ['"].*['"];?$|^export (?:const|default) /.test(line),
};

/** A row that goes on with the row above: its first cell is empty. */
const GOES_ON = /^\|[ \t]*\|.*[\p{L}\p{N}]/u;
/** A row such as `| Default: | 5 |`. */
const LABELLED_ROW = /^\|[^|]{1,40}:[*_`]*[ \t]*\|/;
/** Longer records may be quoted in parts. */
const MAX_RECORD_CHARS = 600;

/** True if a line of a table goes on with the record of the line above. */
function continuesRecord(line, above) {
  const [own, last] = [line?.trim() ?? '', above?.trim() ?? ''];
  if (!last.startsWith('|') || /^[\s|:=-]+$/.test(last)) return false;
  return GOES_ON.test(own) || (LABELLED_ROW.test(own) && LABELLED_ROW.test(last));
}

/** True if a quote ends with this line, but its record goes on. */
function endsInRecord(lines, last) {
  const at = lines.indexOf(last);
  const continues = (i) => !lines[i]?.isCode && continuesRecord(lines[i]?.line, lines[i - 1]?.line);
  let [from, to] = [at, at];
  while (continues(from)) from--;
  while (continues(to + 1)) to++;
  return to > at && lines[to].end - lines[from].start <= MAX_RECORD_CHARS;
}

/** Longer blocks of code may be quoted in parts. */
const MAX_STATEMENT_CHARS = 300;
/** The end of a line of code whose statement goes on. */
const CODE_GOES_ON = /(?:[,({[\\|+=:]|&&|->|=>)$/;
/** A comment, or the name of a block in Python, YAML or a Makefile. */
const IS_COMMENT = /^(?:#|\/\/|--|%|;|"|\*)/;

/** True if a quote ends with this line of code, but its statement goes on in the next line. */
function endsInStatement(lines, last) {
  const at = lines.indexOf(last);
  const [own, next] = [last.line.replace(/^[\s>]+/, '').trimEnd(), lines[at + 1]];
  if (!last.isCode || !next?.isCode || next.line.trim() === '' || IS_COMMENT.test(own)) return false;
  const indent = (line) => line.length - line.trimStart().length;
  const goesOn = CODE_GOES_ON.test(own) || indent(next.line) > indent(last.line);
  return goesOn && last.line.length + next.line.length <= MAX_STATEMENT_CHARS;
}

/** True if a quote ends in a paragraph, but not at the end of a sentence. */
function endsInSentence(text, quote, to, last) {
  const isProse = !last.isCode && !last.isMark && !/^[\s>]*[|<]/.test(last.line);
  const rest = text.slice(to, to + 200);
  const goesOn = /^[ \t]*\n?[ \t>]*[\p{Ll}(,;]/u.test(rest);
  return isProse && goesOn && !/[.?!:;…。！？][\p{P}\p{S}]*$/u.test(quote);
}

/** True if a row of an HTML table begins before the end of the quote and ends after it. */
function endsInHtmlRow(text, to) {
  const [opened, closed] = [text.lastIndexOf('<tr', to - 1), text.lastIndexOf('</tr>', to - 1)];
  const end = text.indexOf('</tr>', to);
  const rest = end < 0 ? '' : text.slice(to, end);
  const isIn = opened > closed && end >= 0 && end - opened <= MAX_RECORD_CHARS && !rest.includes('<tr');
  return isIn && /[\p{L}\p{N}]/u.test(rest.replace(/<[^<>]*>/g, ''));
}

/** Lines of a text with their offsets, and whether they are in a fence. */
function readLines(text) {
  let at = 0;
  let fence = '';
  return text.split('\n').map((line) => {
    const bare = line.replace(/^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*/, '').trimEnd();
    const mark = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(bare)?.[0] ?? '';
    const wasIn = fence !== '';
    if (!wasIn) fence = mark;
    else if (mark === bare && mark.startsWith(fence)) fence = '';
    const start = at;
    at += line.length + 1;
    return {
      line,
      start,
      end: at - 1,
      isCode: wasIn && fence !== '',
      isMark: mark !== '' && (!wasIn || fence === ''),
    };
  });
}

/** The laws that a quote breaks. */
function brokenLaws(text, quote) {
  const from = text.indexOf(quote);
  if (from < 0) return [];
  const to = from + quote.length;
  const lines = readLines(text);
  const first = lines.find(({ end }) => end > from);
  const last = lines.findLast(({ start }) => start < to);
  const broken = [];
  if (first.isCode && text.slice(first.start, from).replace(/^[\s>]+/, '') !== '')
    broken.push('begins in a code line');
  if (last.isCode && text.slice(to, last.end).trim() !== '') broken.push('ends in a code line');
  if (endsInRecord(lines, last)) broken.push('ends in a record');
  if (endsInStatement(lines, last)) broken.push('ends in a statement');
  if (endsInSentence(text, quote, to, last)) broken.push('ends in a sentence');
  if (endsInHtmlRow(text, to)) broken.push('ends in a row of HTML');
  if (first.isCode && /^[}\])]/.test(quote)) broken.push('begins with a closing bracket');
  const ends = (ADMONITION.test(quote) ? [last] : [first, last]).filter(
    ({ isCode, isMark }) => !isCode && !isMark,
  );
  for (const [law, isBroken] of Object.entries(LINE_LAWS)) {
    if (ends.some(({ line }) => isBroken(line.replace(/^[\s>]*(?:[-*+]\s+)?/, '').trimEnd())))
      broken.push(law);
  }
  const rest = quote.replace(/\[(?:[^[\]]|\[[^\]]*\])*\](?:\([^)]*\)|\[[^\]]*\])/g, '');
  // A table row with several cells states a fact even if all of them are links.
  const isRow = /^\|(?:[^|\n]*[\p{L}\p{N}][^|\n]*\|){2}/u.test(quote);
  if (!isRow && rest !== quote && !/[\p{L}\p{N}\p{So}]/u.test(rest) && !/[.?!]\W{0,3}\]/.test(quote))
    broken.push('links only');
  return broken;
}

/** Words of a random sentence and heading, as a person might ask. */
function questionFrom({ section }, random) {
  const words = section.text.match(/[\p{L}\p{N}_.-]{3,}/gu) ?? [];
  const at = Math.floor(random() * Math.max(1, words.length - 6));
  const chosen = words.slice(at, at + 3 + Math.floor(random() * 5)).join(' ');
  return random() < 0.5
    ? `${section.title}: ${chosen}`.slice(0, 900)
    : `How does ${chosen || section.title} work?`;
}

async function check(file, questions) {
  const index = makePort('sections', new SqliteReader(file, embedderNamed('lsa')));
  const { projectId, environment } = await index.stamp();
  const scope = { projectId, environment, docTags: null, repositories: null };
  const { documents } = await index.documents(scope, 0, 100_000);
  const random = randomFrom(17);
  const client = await connect([process.execPath, `${dist}/main.cli.js`, 'stdio', '--index', file], {
    PITH_RATE_PER_MINUTE: '0',
  });
  const found = new Map();
  let quotes = 0;
  for (let asked = 0; asked < questions; asked++) {
    const { path } = documents[Math.floor(random() * documents.length)];
    const { sections } = await index.neighbours(scope, path, 5);
    const question = questionFrom(sections[Math.floor(random() * sections.length)], random);
    const { result } = await client.call('kb.retrieve_evidence', { question });
    for (const { quote, section_id: id } of result.structuredContent?.quotes ?? []) {
      quotes++;
      const [own] = (await index.sections(scope, [id])).sections;
      for (const law of own ? brokenLaws(own.section.text, quote) : []) {
        found.set(law, [...(found.get(law) ?? []), `${id}: ${JSON.stringify(quote.slice(0, 200))}`]);
      }
    }
  }
  await client.close();
  await index.close();
  console.log(`${file}: ${questions} questions, ${quotes} quotes`);
  for (const [law, places] of found) {
    console.log(`  ${law}: ${places.length}`);
    for (const place of places.slice(0, EXAMPLES)) console.log(`    ${place}`);
  }
  return [...found.values()].flat().length;
}

let broken = 0;
for (const file of indexes) broken += await check(resolve(file), Math.ceil(QUESTIONS / indexes.length));
process.exitCode = broken > 0 ? 1 : 0;
