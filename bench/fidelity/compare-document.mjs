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
 * Takes away words of `pieces` that stand next to each other and, joined, are a word of `wholes`.
 * @returns how many words were taken away
 */
function joinDivided(list, pieces, wholes, wholeList) {
  const open = new Map();
  for (const at of wholes) open.set(wholeList[at], [...(open.get(wholeList[at]) ?? []), at]);
  let taken = 0;
  for (const at of [...pieces].sort((a, b) => a - b)) {
    for (let length = 2; length <= 6 && pieces.has(at); length += 1) {
      const run = Array.from({ length }, (_, step) => at + step);
      // One of the pieces can be a word that both have elsewhere, so two lost neighbours are not required.
      if (run.filter((place) => pieces.has(place)).length < Math.ceil(length / 2)) break;
      const whole = open.get(run.map((place) => list[place] ?? '').join(''))?.pop();
      if (whole === undefined) continue;
      for (const place of run) pieces.delete(place);
      wholes.delete(whole);
      taken += 1;
    }
  }
  return taken;
}

/**
 * Takes away words of `wholes` of which two words of `pieces`, anywhere in the document, have the letters: `x` and a lowered `2`
 * are lines of their own for some programs.
 * @returns how many words were taken away
 */
function joinScattered({ list, places }, wholes) {
  const open = new Map();
  for (const at of places) open.set(list[at], [...(open.get(list[at]) ?? []), at]);
  let taken = 0;
  for (const at of wholes.places) {
    const whole = wholes.list[at];
    for (
      let cut = 1;
      cut < Math.min(whole.length, whole.length > MAX_SCATTERED ? 0 : MAX_SCATTERED) && wholes.places.has(at);
      cut += 1
    ) {
      const [first, second] = [open.get(whole.slice(0, cut)), open.get(whole.slice(cut))];
      if (!first?.length || !second?.length || (first === second && first.length < 2)) continue;
      for (const piece of [first.pop(), second.pop()]) places.delete(piece);
      wholes.places.delete(at);
      taken += 1;
    }
  }
  return taken;
}

/** Letters of such a word, at most. */
const MAX_SCATTERED = 6;

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
