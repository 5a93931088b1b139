import { type Html, html, type Part } from './html.js';

/** An option of a select field: its value and its label. */
export type SelectChoice = readonly [value: string, text: string];

interface Field {
  readonly name: string;
  readonly label: string;
  /** The current value; '' for none. */
  readonly value: string;
}

interface SelectField extends Field {
  readonly choices: readonly SelectChoice[];
}

export function selectField({ name, label, value, choices }: SelectField): Html {
  const options = choices.map(
    ([choice, text]) =>
      html`<option value="${choice}" ${choice === value && html`selected`}>${text}</option>`,
  );
  return html`<div class="field">
    <label for="f-${name}">${label}</label
    ><select id="f-${name}" name="${name}">
      ${options}
    </select>
  </div>`;
}

export interface InputField extends Field {
  readonly type: 'text' | 'number' | 'datetime-local';
}

const BOUNDS: Readonly<Record<InputField['type'], Html>> = {
  text: html`maxlength="256"`,
  number: html`min="0" max="3600000" step="any"`,
  'datetime-local': html`step="1"`,
};

export function inputField({ name, label, value, type }: InputField): Html {
  const isTime = type === 'datetime-local';
  return html`<div class="${isTime ? 'field time' : 'field'}">
    <label for="f-${name}">${label}</label
    ><input
      id="f-${name}"
      name="${name}"
      type="${type}"
      value="${isTime ? value.slice(0, 19) : value}"
      ${BOUNDS[type]}
      autocomplete="off"
    />
  </div>`;
}

interface FilterForm {
  /** Address of the page that it filters. */
  readonly action: string;
  readonly label: string;
  readonly fields: Part;
  /** Below the fields. */
  readonly more?: Part;
  /** Default: Filter. */
  readonly button?: string;
}

/** A form that filters a page; works without a script. */
export function filterForm({ action, label, fields, more, button = 'Filter' }: FilterForm): Html {
  return html`<form method="get" action="${action}" class="filters" aria-label="${label}">
    <div class="fields">${fields}</div>
    ${more}
    <p class="actions"><button>${button}</button> <a href="${action}">Clear</a></p>
  </form>`;
}
