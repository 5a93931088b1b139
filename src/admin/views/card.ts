import { type Html, html, type Part } from './html.js';

/** A titled box. @param id  id of its heading, unique in the page */
export function card(id: string, title: string, content: Part): Html {
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}

/** Names with their values. */
export function factList(facts: readonly (readonly [name: string, value: Part])[]): Html {
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Names of signals or layers with their colours. */
export function legend(layers: readonly { readonly name: Part; readonly fill: string }[]): Html {
  return html`<ul class="legend">
    ${layers.map(({ name, fill }) => html`<li><span class="swatch ${fill}-ground" aria-hidden="true"></span>${name}</li>`)}
  </ul>`;
}

/** A bar between its name and its figure. */
export function measure(name: string, bar: Html, figure: Part): Html {
  return html`<span class="name">${name}</span>${bar}<span class="figure">${figure}</span>`;
}
