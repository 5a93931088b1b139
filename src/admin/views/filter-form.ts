import { ERROR_CODES } from '../../core/errors.js';
import { ANSWERABLE } from '../../kb/evidence.schemas.js';
import type { ListQuery } from '../admin-query.js';
import { type InputField, inputField, type SelectChoice, selectField } from './fields.js';
import { type Html, html } from './html.js';

const same = (words: readonly string[]): readonly SelectChoice[] =>
  words.map((word) => [word, word] as const);
const OUTCOMES: readonly SelectChoice[] = [
  ['ok', 'succeeded'],
  ['waiting', 'waiting for approval'],
  ['error', 'failed'],
];
const YES_NO: readonly SelectChoice[] = [
  ['true', 'yes'],
  ['false', 'no'],
];

const MORE: readonly (keyof ListQuery)[] = [
  'until',
  'error_code',
  'degraded',
  'partial',
  'session_id',
  'principal',
];

/** A form for filtering retrievals; works without a script. */
export function filterForm(query: ListQuery, tools: readonly string[]): Html {
  const isMore = MORE.some((name) => query[name] !== undefined);
  const known = query.tool === undefined || tools.includes(query.tool) ? tools : [...tools, query.tool];
  const select = (name: keyof ListQuery, label: string, choices: readonly SelectChoice[]): Html =>
    selectField({ name, label, value: String(query[name] ?? ''), choices: [['', 'any'], ...choices] });
  const input = (name: keyof ListQuery, label: string, type: InputField['type']): Html =>
    inputField({ name, label, value: String(query[name] ?? ''), type });
  return html`<form method="get" action="/admin#retrievals" class="filters" aria-label="Filter retrievals">
    <div class="fields">
      ${select('tool', 'Tool', same(known))} ${select('outcome', 'Outcome', OUTCOMES)}
      ${select('answerable', 'Answer', same(ANSWERABLE))} ${input('min_ms', 'At least (ms)', 'number')}
      ${input('since', 'Since (UTC)', 'datetime-local')}
    </div>
    <details ${isMore && html`open`}>
      <summary>More filters</summary>
      <div class="fields">
        ${input('until', 'Until (UTC)', 'datetime-local')}
        ${select('error_code', 'Error code', same(ERROR_CODES))} ${select('degraded', 'Degraded', YES_NO)}
        ${select('partial', 'Partial', YES_NO)} ${input('session_id', 'Session', 'text')}
        ${input('principal', 'Principal', 'text')}
      </div>
    </details>
    <p class="actions"><button>Filter</button> <a href="/admin#retrievals">Clear</a></p>
  </form>`;
}
