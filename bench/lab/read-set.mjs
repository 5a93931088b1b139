// The questions of the lab. An answer is a position in a page, so that no text of others is in this repository.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ENTITIES = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
};
const decode = (entity, name) => {
  if (name.startsWith('#')) {
    const number = name[1].toLowerCase() === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1));
    return number > 0 && number < 0x110000 ? String.fromCodePoint(number) : ' ';
  }
  return ENTITIES[name] ?? entity;
};

/** The words of a text as readers see them: without tags, marks, punctuation and capitals. */
export function foldText(text, isHtml) {
  const seen = isHtml ? text.replace(/<\/?[a-zA-Z!][^>]*>/g, ' ').replace(/&(#?\w{1,10});/g, decode) : text;
  return seen
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Tells if a page is the one that was read when the questions were asked. */
export const digestOf = (page) => createHash('sha256').update(page).digest('hex').slice(0, 12);

/**
 * Reads a set.
 * @returns its questions, each answer with its `gold` text; `changed` counts those that were left out because a page differs
 */
export function readSet(file, folder) {
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const [{ pages }, ...questions] = rows;
  const read = new Map();
  const pageOf = (path) => {
    if (!read.has(path)) {
      const whole = join(folder, path);
      const text = existsSync(whole) ? readFileSync(whole, 'utf8') : '';
      read.set(path, digestOf(text) === pages[path] ? text : null);
    }
    return read.get(path);
  };
  const kept = questions.flatMap((question) => {
    const answers = question.answers.map(({ at: [start, end], ...answer }) => {
      const page = pageOf(answer.path);
      return page === null
        ? null
        : { ...answer, gold: foldText(page.slice(start, end), /\.html?$/.test(answer.path)) };
    });
    return answers.includes(null) ? [] : [{ ...question, answers }];
  });
  return { questions: kept, changed: questions.length - kept.length };
}
