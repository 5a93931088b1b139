import { type Html, html, type Part } from '../../../admin/views/html.js';
import { seen, seenName } from '../../../admin/views/visible-text.js';
import { pinState } from '../../providers/acceptance/describe-change.js';
import type { LinkState } from '../../providers/link/kept-connection.js';
import type { ProviderTransport } from '../../providers/provider-file.js';
import type { ProviderPin } from '../../providers/provider-pins.port.js';
import { timeAt } from '../approvals/approval-state.js';

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
export function connectionBox({ name, isConnected, since, failure, retryAt }: ProviderView): Html {
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
