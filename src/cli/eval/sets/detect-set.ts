import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { InvalidArgumentError } from '../../../core/errors.js';

export interface DetectedSet {
  readonly kind: 'golden' | 'beir' | 'evidence';
  /** The file of a golden set, or the folder of another set. */
  readonly path: string;
  /** Used in the names of reports. */
  readonly name: string;
}

function noSet(path: string, problem: string): InvalidArgumentError {
  return new InvalidArgumentError(`${path} ${problem}.`, {
    reason: 'eval_set_unknown',
    hint: 'Give a golden set (a .jsonl file), a BEIR folder (corpus.jsonl, queries.jsonl, qrels/test.tsv) or an evidence set (a folder with questions.jsonl).',
  });
}

/** Detects the kind of set at a path. @throws InvalidArgumentError if there is none */
export function detectSet(given: string): DetectedSet {
  const path = resolve(given);
  if (!existsSync(path)) throw noSet(path, 'does not exist');
  if (!statSync(path).isDirectory()) {
    const file = basename(path);
    if (file === 'questions.jsonl') return detectSet(join(path, '..'));
    if (!file.endsWith('.jsonl')) throw noSet(path, 'is not a .jsonl file');
    return { kind: 'golden', path, name: basename(file, '.jsonl') };
  }
  const name = basename(path);
  if (existsSync(join(path, 'questions.jsonl'))) return { kind: 'evidence', path, name };
  if (existsSync(join(path, 'queries.jsonl'))) return { kind: 'beir', path, name };
  throw noSet(path, 'is a folder without questions.jsonl or queries.jsonl');
}
