import { InvalidArgumentError } from '../../../core/errors.js';
import type { EvalRun } from '../eval-run.js';

/** The worst accepted value of a figure. */
export interface Floor {
  readonly key: string;
  readonly bound: number;
}

function wrongFloor(message: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(message, { reason: 'eval_floor_unknown', hint });
}

/** Parses `answered=.5,page=.8`. @throws InvalidArgumentError for anything else */
export function parseFloors(text: string): Floor[] {
  return text.split(',').map((item) => {
    const [key = '', bound = ''] = item.split('=').map((piece) => piece.trim());
    if (key !== '' && bound !== '' && Number.isFinite(Number(bound))) return { key, bound: Number(bound) };
    throw wrongFloor(
      `${JSON.stringify(item)} is not a valid floor.`,
      'Use figure=number, separated by commas: answered=.5,page=.8',
    );
  });
}

/** One sentence per broken floor. If less is better, it is a maximum. @throws InvalidArgumentError */
export function brokenFloors(
  { all, name }: Pick<EvalRun, 'all' | 'name'>,
  floors: readonly Floor[],
): string[] {
  return floors.flatMap(({ key, bound }) => {
    const figure = all.figures.find((candidate) => candidate.key === key);
    if (!figure) {
      const known = all.figures.map((candidate) => candidate.key).join(', ');
      throw wrongFloor(`${name} has no figure ${JSON.stringify(key)}.`, `Figures: ${known}.`);
    }
    const { value, better } = figure;
    const isWorse = value === null || (better === 'more' ? value < bound : value > bound);
    if (!isWorse) return [];
    const shown = value === null ? 'undefined' : String(Number(value.toFixed(4)));
    return [`${name}: ${key} is ${shown}, ${better === 'more' ? 'below' : 'above'} ${bound}`];
  });
}
