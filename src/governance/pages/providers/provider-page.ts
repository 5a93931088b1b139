import { decidingForm, notPermittedNote } from '../../../admin/forms/operator-forms.js';
import { card, factList } from '../../../admin/views/card.js';
import { type Html, html, type Part, seen, seenName, timeAt } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { type PageColumn, table } from '../../../admin/views/table.js';
import { hashOfOne } from '../../providers/acceptance/accept-shown.js';
import { changeLines, hashOfAll, pinState, waitingPins } from '../../providers/acceptance/describe-change.js';
import type { LinkState } from '../../providers/link/kept-connection.js';
import type { ProviderTransport } from '../../providers/provider-file.js';
import type { ProviderPin } from '../../providers/provider-pins.js';

/** An external server with its tools. */
export interface ProviderView extends LinkState {
  readonly name: string;
  readonly transport: ProviderTransport;
  readonly pins: readonly ProviderPin[];
}

/** The states of tools in the order in which operators need them, with their words. */
const TOOL_STATES = [
  ['new', 'new'],
  ['changed', 'changed'],
  ['unusable', 'unusable'],
  ['gone', 'gone'],
  ['accepted', 'accepted'],
] as const;

/** The program or address; its arguments, variables and headers are not shown. */
export function placeText(transport: ProviderTransport): string {
  if (transport.kind === 'stdio') return transport.command;
  const { origin, pathname } = new URL(transport.url);
  return `${origin}${pathname}`;
}

/** How many tools are in each state, such as `2 new, 5 accepted`. */
export function toolCounts(pins: readonly ProviderPin[]): string {
  const counts = TOOL_STATES.flatMap(([state, word]) => {
    const { length } = pins.filter((pin) => pinState(pin) === state);
    return length > 0 ? [`${length} ${word}`] : [];
  });
  return counts.length === 0 ? 'none known' : counts.join(', ');
}

/** The connection in a row of a table. */
export function connectionMark({ isConnected }: LinkState): Html {
  const [tone, sign, words] = isConnected ? ['good', '✓', 'connected'] : ['bad', '×', 'not connected'];
  return html`<span class="said ${tone}"><span class="sign" aria-hidden="true">${sign}</span>${words}</span>`;
}

/** The last failure with its time; null if there was none. */
export const failurePart = ({ failure }: LinkState): Part =>
  failure && html`${seen(failure.text)} <small>${timeAt(failure.at)}</small>`;

/** The connection, as the first thing on the page of a provider. Focus moves here after an acceptance. */
function connectionBox({ name, isConnected, since, failure, retryAt }: ProviderView): Html {
  const [tone, sign, words] = isConnected ? ['good', '✓', 'is connected'] : ['warn', '!', 'is not connected'];
  return html`<div class="verdict ${tone}" id="state" role="status" tabindex="-1">
    <h2><span class="sign" aria-hidden="true">${sign}</span>${seenName(name)} ${words}.</h2>
    <p>
      Since
      ${timeAt(since)}.${!isConnected && ' Its tools stay listed; their calls fail until it is connected again.'}
    </p>
    ${failure && html`<p>Last failure at ${timeAt(failure.at)}: ${seen(failure.text)}</p>`}
    ${retryAt !== null && html`<p>Next attempt to connect: ${timeAt(retryAt)}</p>`}
  </div>`;
}

/** Definitions that one page shows (characters, and tools). Others have pages of their own. */
const MAX_SHOWN_CHARS = 400_000;
const MAX_SHOWN_TOOLS = 40;

export interface ProviderPageView {
  readonly provider: ProviderView;
  /** The only tool whose definition is shown; undefined for all that wait. */
  readonly tool: string | undefined;
  /** Who is signed in. */
  readonly operator: string;
  /** False if the operator lacks the permission `approve`. */
  readonly mayAccept: boolean;
  /** For the forms; see `FormTokens`. */
  readonly token: string;
  readonly frame: Frame;
}

const sizeOf = ({ listed, accepted }: ProviderPin): number =>
  (listed?.definition.length ?? 0) + (accepted?.definition.length ?? 0);

/** The first tools that fit on one page; at least one. */
function shownOf(waiting: readonly ProviderPin[]): readonly ProviderPin[] {
  let chars = 0;
  const end = waiting.findIndex((pin, i) => {
    chars += sizeOf(pin);
    return i > 0 && (i === MAX_SHOWN_TOOLS || chars > MAX_SHOWN_CHARS);
  });
  return end < 0 ? waiting : waiting.slice(0, end);
}

const toolPath = ({ provider, tool }: ProviderPin): string =>
  `/admin/providers/${provider}?tool=${encodeURIComponent(tool)}`;

function stateCell(pin: ProviderPin): Part {
  const state = pinState(pin);
  if (state !== 'unusable') return state;
  return html`${state}: ${seen(pin.listed?.problem ?? '')}`;
}

const COLUMNS: readonly PageColumn<ProviderPin>[] = [
  {
    name: 'Tool',
    isHead: true,
    cell: (pin) =>
      waitingPins([pin]).length > 0
        ? html`<a href="${toolPath(pin)}">${seenName(pin.tool)}</a>`
        : seenName(pin.tool),
  },
  { name: 'State', isWide: true, cell: stateCell },
  { name: 'Accepted by', cell: ({ accepted }) => accepted && seenName(accepted.by) },
  { name: 'Accepted', cell: ({ accepted }) => accepted && timeAt(accepted.at) },
];

interface AcceptForm {
  readonly hash: string;
  /** Undefined for everything that waits. */
  readonly tool?: string;
  readonly button: Part;
}

function acceptForm(view: ProviderPageView, { hash, tool, button }: AcceptForm): Html | null {
  if (!view.mayAccept) return null;
  const fields = html`<input type="hidden" name="hash" value="${hash}" />
    ${tool !== undefined && html`<input type="hidden" name="tool" value="${tool}" />`}
    <p class="actions"><button>${button}</button></p>`;
  return decidingForm(`/admin/providers/${view.provider.name}`, view.token, fields);
}

function changeCard(view: ProviderPageView, pin: ProviderPin, i: number): Html {
  const title = pin.accepted === null ? 'New' : 'Changed';
  const id = `change-${i + 1}`;
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${title}: ${seenName(pin.tool)}</h2>
    <pre
      class="whole"
      tabindex="0"
      aria-labelledby="${id}"
    ><code>${seen(changeLines(pin).join('\n'))}</code></pre>
    ${acceptForm(view, {
      hash: hashOfOne(pin),
      tool: pin.tool,
      button: html`Accept ${seenName(pin.tool)}`,
    })}
  </section>`;
}

function waitingPart(view: ProviderPageView): Html | null {
  const { provider, tool, operator, mayAccept } = view;
  const all = waitingPins(provider.pins);
  const asked = tool === undefined ? all : all.filter((pin) => pin.tool === tool);
  const shown = shownOf(asked);
  if (shown.length === 0)
    return tool === undefined ? null : html`<p class="empty">Nothing of this tool waits to be accepted.</p>`;
  const note = mayAccept
    ? html`Models read these texts as instructions. Read them before you accept them. Lines with + are new,
        lines with - were removed. The acceptance is recorded under the name
        <strong>${seenName(operator)}</strong>.`
    : notPermittedNote(seenName(operator));
  return html`<p class="note">${note}</p>
    ${shown.map((pin, i) => changeCard(view, pin, i))}
    ${
      shown.length < asked.length &&
      html`<p class="cut">
        <strong>${asked.length - shown.length} further tools wait and are not shown here.</strong> Open them
        from the list above.
      </p>`
    }
    ${
      shown.length > 1 &&
      shown.length === all.length &&
      acceptForm(view, { hash: hashOfAll(all), button: `Accept all ${all.length}` })
    }`;
}

/** One provider: its connection, its tools, and what waits for acceptance, with the forms. */
export function providerPage(view: ProviderPageView): string {
  const { provider, frame } = view;
  const { name, transport, pins } = provider;
  return page({
    title: `Provider ${name}`,
    place: '/admin/providers',
    frame,
    content: html`<p class="crumb"><a href="/admin/providers">Providers</a> / ${seenName(name)}</p>
      <h1>${seenName(name)}</h1>
      ${connectionBox(provider)}
      ${card(
        'tools',
        'Tools',
        html`${factList([
          ['Program or URL', seen(placeText(transport))],
          ['Tools', toolCounts(pins)],
        ])}
        ${
          pins.length > 0 &&
          table({ caption: 'Tools by name', isCaptionHidden: true, rows: pins, columns: COLUMNS })
        }`,
      )}
      ${waitingPart(view)}`,
  });
}
