/** The words of a text: runs of letters and digits in lower case. */
export const tokens = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\u00ad/g, '')
    .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];

const key = (text) => tokens(text).join(' ');

function count(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The places of the words of `list` that are left when each of `others` has taken one away. */
function surplus(list, others) {
  const left = count(others);
  return list.flatMap((word, at) => {
    const remaining = left.get(word) ?? 0;
    if (remaining > 0) left.set(word, remaining - 1);
    return remaining > 0 ? [] : [at];
  });
}

/**
 * Takes away words of `pieces` that, joined, are a word of `wholes`. In the list they stand next to each other. Of a word that both
 * have elsewhere too, any occurrence can be the one that is counted, so half of them are enough if they stand there.
 * @returns how many words were taken away
 */
function joinDivided(list, pieces, wholes, wholeList) {
  const open = placesByWord(wholes, wholeList);
  const left = placesByWord(pieces, list);
  let taken = 0;
  for (const at of list.keys()) {
    for (let length = 2; length <= 6; length += 1) {
      const run = list.slice(at, at + length);
      const places = open.get(run.join(''));
      if (!places?.length) continue;
      const near = run.map((_, step) => at + step).filter((place) => pieces.has(place));
      const found = take(left, run) ?? (near.length >= length / 2 ? near : null);
      if (found === null) continue;
      for (const place of found) pieces.delete(place);
      for (const place of near)
        left.set(
          list[place],
          left.get(list[place]).filter((one) => pieces.has(one)),
        );
      wholes.delete(places.pop());
      taken += 1;
    }
  }
  return taken;
}

function placesByWord(places, list) {
  const found = new Map();
  for (const at of places) found.set(list[at], [...(found.get(list[at]) ?? []), at]);
  return found;
}

/** Takes one place for each of some words; null, and none is taken, if a word has none. */
function take(open, words) {
  const found = [];
  for (const word of words) {
    const place = open.get(word)?.pop();
    if (place !== undefined) found.push([word, place]);
  }
  if (found.length === words.length) return found.map(([, place]) => place);
  for (const [word, place] of found) open.get(word).push(place);
  return null;
}

/**
 * Takes away words of `wholes` of which words of `pieces`, anywhere in the document, have the letters: `x` and a lowered `2`
 * are lines of their own for some programs.
 * @returns how many words were taken away
 */
function joinScattered({ list, places }, wholes) {
  const open = placesByWord(places, list);
  let taken = 0;
  for (const at of wholes.places) {
    const whole = wholes.list[at];
    const pieces = whole.length <= MAX_SCATTERED ? spell(whole, open) : null;
    if (pieces === null || pieces.length < 2) continue;
    for (const piece of pieces) places.delete(piece);
    wholes.places.delete(at);
    taken += 1;
  }
  return taken;
}

/** The places of words whose letters are those of another one, long words first; null if there are none. */
function spell(whole, open) {
  if (whole === '') return [];
  for (let cut = whole.length; cut > 0; cut -= 1) {
    const first = whole.slice(0, cut);
    const place = open.get(first)?.pop();
    if (place === undefined) continue;
    const rest = spell(whole.slice(cut), open);
    if (rest !== null) return [place, ...rest];
    open.get(first).push(place);
  }
  return null;
}

/** Letters of such a word, at most. */
const MAX_SCATTERED = 12;

/** Takes away places of words that an occurrence of which is accounted for. */
function withdraw(places, list, words) {
  const left = count(words);
  for (const at of places) {
    const remaining = left.get(list[at]) ?? 0;
    if (remaining > 0) places.delete(at);
    left.set(list[at], remaining - 1);
  }
}

/** Some programs write the numbers of lists as text. */
const unnumbered = (text) => text.replace(/^([\s>]*)\(?\d+[.)]\s/gm, '$1');

/** Compares what another program reads with what the index has. */
export function compareDocument(read, indexed) {
  const theirs = tokens(unnumbered(read.text));
  const ours = tokens(unnumbered([...indexed.headings.map(({ title }) => title), indexed.text].join('\n')));
  const lost = new Set(surplus(theirs, ours));
  const doubled = new Set(surplus(ours, theirs));
  const [left, right] = [
    { list: theirs, places: lost },
    { list: ours, places: doubled },
  ];
  const divided =
    joinDivided(theirs, lost, doubled, ours) +
    joinDivided(ours, doubled, lost, theirs) +
    joinScattered(left, right) +
    joinScattered(right, left);
  // The title can be a heading that is not repeated as a section, or come from the name of the file.
  withdraw(lost, theirs, tokens(indexed.title));
  withdraw(doubled, ours, tokens(indexed.title));
  return {
    words: theirs.length,
    lost: [...lost].map((at) => theirs[at]),
    doubled: [...doubled].map((at) => ours[at]),
    divided,
    headings: compareHeadings(read.headings, indexed),
    cells: {
      count: read.cells.map(key).filter(Boolean).length,
      missing: missing(read.cells.map(key).filter(Boolean), indexed.cells.map(key)),
    },
  };
}

const missing = (list, others) => surplus(list, others).map((at) => list[at]);

/** A heading under the title of the page is a top heading. */
function compareHeadings(headings, indexed) {
  const title = key(indexed.title);
  const top = (name) => (name === null || key(name) === title ? '' : key(name));
  const named = headings
    .map((one) => ({ name: key(one.title), parent: top(one.parent) }))
    .filter(({ name }) => name);
  const ours = indexed.headings.map((one) => ({ name: key(one.title), parent: top(one.parent) }));
  const names = [...ours.map(({ name }) => name), title];
  const lost = missing(
    named.map(({ name }) => name),
    names,
  );
  const pairs = ours.map(({ name, parent }) => `${parent} > ${name}`);
  const kept = named.filter(({ name }) => !lost.includes(name) && name !== title);
  return {
    count: named.length,
    missing: lost,
    moved: missing(
      kept.map(({ name, parent }) => `${parent} > ${name}`),
      pairs,
    ),
  };
}
