// Compares the changes that no test notices with those that have a reason (survivors.json).
import { readFileSync } from 'node:fs';

const MISSED = new Set(['Survived', 'NoCoverage']);
const REASONS = JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8'));

/** The line of the source with a change, and what the changed part becomes. */
function placeOf({ fileName, location, replacement }) {
  const file = fileName.slice(process.cwd().length + 1);
  const line = readFileSync(file, 'utf8').split('\n')[location.start.line - 1].trim();
  return { file, line, becomes: replacement.replace(/\s+/g, ' ') };
}

const isSame = (a, b) => a.file === b.file && a.line === b.line && a.becomes === b.becomes;
const shown = ({ file, line, becomes }) => JSON.stringify({ file, line, becomes });

/**
 * Finds missed changes without a reason, and reasons that no missed change has any more.
 * @param results  the changes of an area, as Stryker returns them
 */
export function troublesOf(results) {
  const missed = results.filter(({ status }) => MISSED.has(status)).map(placeOf);
  const files = new Set(results.map(({ fileName }) => fileName.slice(process.cwd().length + 1)));
  const given = REASONS.filter(({ file }) => files.has(file));
  return [
    ...missed
      .filter((each) => !given.some((reason) => isSame(reason, each)))
      .map((each) => `no reason: ${shown(each)}`),
    ...given
      .filter((each) => !missed.some((place) => isSame(place, each)))
      .map((each) => `is noticed now: ${shown(each)}`),
  ];
}
