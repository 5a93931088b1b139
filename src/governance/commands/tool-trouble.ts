import { InvalidArgumentError } from '../../core/errors.js';
import { underscored } from '../../mcp/surface/surface.js';
import { withKnownNames } from '../../text/nearest-name.js';
import { pinState } from '../providers/acceptance/describe-change.js';
import { fullNameOf, providerOf } from '../providers/review-tools.js';
import type { OpenGovernance } from './open-governance.js';

/** The next step for a provider that no server has connected to. */
export const START_SERVER =
  'Start a server with this governance file (pith http, or the host of pith stdio). It lists the tools of its providers.';

const refused = (message: string, hint: string): InvalidArgumentError =>
  new InvalidArgumentError(message, { reason: 'invalid_input', hint });

/** A tool that can't be called: it is misspelt, or it belongs to a provider and is not accepted. */
export function toolTrouble(given: string, opened: OpenGovernance): InvalidArgumentError {
  const { surface } = opened;
  const provider = providerOf(given, Object.keys(opened.governance.providers));
  if (provider === undefined) {
    const known = [...surface.tools.values()].filter(({ isListed }) => isListed);
    const names = { whose: 'Tools', known: known.map(({ definition }) => definition.name) };
    return refused(
      `There is no tool ${given}.`,
      `pith tools lists the tools${withKnownNames('', given, names)}.`,
    );
  }
  const pins = opened.pins.filter((pin) => pin.provider === provider);
  if (pins.length === 0)
    return refused(`No server has connected to the provider ${provider} yet.`, START_SERVER);
  const pin = pins.find(({ tool }) => underscored(fullNameOf(provider, tool)) === underscored(given));
  if (!pin) {
    const names = { whose: 'Its tools', known: pins.map(({ tool }) => fullNameOf(provider, tool)) };
    return refused(
      `The provider ${provider} lists no tool ${given}.`,
      `pith providers list prints its tools${withKnownNames('', given, names)}.`,
    );
  }
  const state = pinState(pin);
  const name = fullNameOf(provider, pin.tool);
  if (state === 'new' || state === 'changed')
    return refused(
      `${name} waits for acceptance (${state}), so it can't be called.`,
      `Read its definition, then accept it by the hash that is printed: pith providers diff ${provider}`,
    );
  return refused(
    `${name} can't be called: ${state === 'gone' ? 'the provider no longer lists it' : (pin.listed?.problem ?? state)}.`,
    'pith providers list prints the state of each tool.',
  );
}
