import { ERROR_CODES } from '../../core/errors.js';
import { ANSWERABLE } from '../../kb/evidence/answerable.js';
import type { ListQuery } from '../admin-query.js';
import { type Html, html } from './html.js';

interface Choice {
  readonly name: keyof ListQuery;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}

function select({ name, label, options }: Choice, query: ListQuery): Html {
  const chosen = query[name] === undefined ? '' : String(query[name]);
  const shown = [['', 'any'] as const, ...options].map(
    ([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
  );
  return html`<div class="field">
    <label for="f-${name}">${label}</label
    ><select id="f-${name}" name="${name}">
      ${shown}
    </select>
  </div>`;
}

interface Entry {
  readonly name: keyof ListQuery;
  readonly label: string;
  readonly type: 'text' | 'number' | 'datetime-local';
}

function input({ name, label, type }: Entry, query: ListQuery): Html {
  const value = query[name] === undefined ? '' : String(query[name]);
  const shown = type === 'datetime-local' ? value.slice(0, 19) : value;
  const bounds = type === 'number' ? html`min="0" max="3600000" step="any"` : html`maxlength="256"`;
  return html`<div class="field ${type === 'datetime-local' && 'time'}">
    <label for="f-${name}">${label}</label
    ><input
      id="f-${name}"
      name="${name}"
      type="${type}"
      value="${shown}"
      ${type === 'datetime-local' ? html`step="1"` : bounds}
      autocomplete="off"
    />
  </div>`;
}

const same = (words: readonly string[]): readonly (readonly [string, string])[] =>
  words.map((word) => [word, word] as const);
const YES_NO = [
  ['true', 'yes'],
  ['false', 'no'],
] as const;

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
  return html`<form method="get" action="/admin#retrievals" class="filters" aria-label="Filter retrievals">
    <div class="fields">
      ${select({ name: 'tool', label: 'Tool', options: same(known) }, query)}
      ${select(
        {
          name: 'outcome',
          label: 'Outcome',
          options: [
            ['ok', 'succeeded'],
            ['error', 'failed'],
          ],
        },
        query,
      )}
      ${select({ name: 'answerable', label: 'Answer', options: same(ANSWERABLE) }, query)}
      ${input({ name: 'min_ms', label: 'At least (ms)', type: 'number' }, query)}
      ${input({ name: 'since', label: 'Since (UTC)', type: 'datetime-local' }, query)}
    </div>
    <details ${isMore && html`open`}>
      <summary>More filters</summary>
      <div class="fields">
        ${input({ name: 'until', label: 'Until (UTC)', type: 'datetime-local' }, query)}
        ${select({ name: 'error_code', label: 'Error code', options: same(ERROR_CODES) }, query)}
        ${select({ name: 'degraded', label: 'Degraded', options: YES_NO }, query)}
        ${select({ name: 'partial', label: 'Partial', options: YES_NO }, query)}
        ${input({ name: 'session_id', label: 'Session', type: 'text' }, query)}
        ${input({ name: 'principal', label: 'Principal', type: 'text' }, query)}
      </div>
    </details>
    <p class="actions"><button>Filter</button> <a href="/admin#retrievals">Clear</a></p>
  </form>`;
}
