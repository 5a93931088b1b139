import { InvalidArgumentError } from '../../../core/errors.js';
import { withKnownNames } from '../../../text/nearest-name.js';
import { plainLine } from '../../../text/plain-line.js';
import type { ConfigurationChangedEvent } from '../../ledger/ledger-event.js';
import type { ProviderPin, ProviderPins } from '../provider-pins.js';
import { fullNameOf } from '../review-tools.js';
import { hashOfAll, waitingPins } from './describe-change.js';

/** An acceptance by an operator, of one tool or of everything that waits. */
export interface GivenAcceptance {
  readonly provider: string;
  /** One tool, as the provider names it; undefined for everything that waits. */
  readonly tool: string | undefined;
  /** Of the tool, or of everything that waits, as it was shown. */
  readonly hash: string;
  /** Name of the operator. */
  readonly by: string;
}

interface AcceptanceParts {
  readonly pins: ProviderPins;
  /** Resolves when the event is on record, or if nothing is recorded. */
  readonly record: (event: ConfigurationChangedEvent) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

function notAsShown(provider: string): InvalidArgumentError {
  return new InvalidArgumentError('The hash is not that of what waits for acceptance now.', {
    reason: 'definition_changed',
    hint: 'Open the page of the provider again, read the changes, and accept them there.',
    commandHint: `Read the changes with pith providers diff ${provider}, and use the hash that it prints.`,
  });
}

/** The reason why nothing can be accepted: an unknown tool, or nothing waits; null if a tool waits. */
function nothingWaits(
  { provider, tool }: GivenAcceptance,
  all: readonly ProviderPin[],
): InvalidArgumentError | null {
  const names = all.map((pin) => pin.tool);
  if (tool !== undefined && !names.includes(tool))
    return new InvalidArgumentError(`${provider} has no tool ${plainLine(tool)}.`, {
      reason: 'unknown_tool',
      hint: withKnownNames('Use the name without the provider', tool, { whose: 'Its tools', known: names }),
    });
  const waiting = waitingPins(all).filter((pin) => tool === undefined || pin.tool === tool);
  if (waiting.length > 0) return null;
  const what = tool === undefined ? `Nothing of ${provider}` : fullNameOf(provider, tool);
  return new InvalidArgumentError(
    `${what} ${tool === undefined ? 'waits' : 'does not wait'} for acceptance.`,
    {
      reason: 'definition_changed',
      hint: 'Nothing needs to be done. The list of providers shows the state of each tool.',
    },
  );
}

/** Hash of everything that is accepted of a provider. */
function acceptedHash(pins: readonly ProviderPin[]): string {
  return hashOfAll(
    pins.flatMap((pin) =>
      pin.accepted === null ? [] : [{ ...pin, listed: { ...pin.accepted, problem: null } }],
    ),
  );
}

/** The hash by which a tool that waits is accepted alone. */
export const hashOfOne = ({ listed }: ProviderPin): string => listed?.hash ?? '';

/**
 * Records an acceptance, then makes it. Nothing is accepted that was not shown.
 * @returns the full names of the tools
 * @throws InvalidArgumentError `unknown_tool`; `definition_changed` if nothing waits, or if the hash is not that of what
 * waits now; errors of `record`
 */
export async function acceptShown(given: GivenAcceptance, parts: AcceptanceParts): Promise<string[]> {
  const { provider, tool, hash, by } = given;
  const { pins, record, now } = parts;
  const all = await pins.pins(provider);
  const trouble = nothingWaits(given, all);
  if (trouble) throw trouble;
  const waiting = waitingPins(all).filter((pin) => tool === undefined || pin.tool === tool);
  const [first] = waiting;
  if (!first || hash !== (tool === undefined ? hashOfAll(waiting) : hashOfOne(first)))
    throw notAsShown(provider);
  const after = all.map((pin) =>
    pin.listed && waiting.includes(pin) ? { ...pin, accepted: { ...pin.listed, at: now(), by } } : pin,
  );
  await record({
    type: 'configuration.changed',
    what: `providers.${provider}`,
    before: acceptedHash(all),
    after: acceptedHash(after),
    decided_by: by,
  });
  const tools = waiting.map((pin) => ({ tool: pin.tool, hash: hashOfOne(pin) }));
  // The store compares the hashes again, because the provider may list something else meanwhile.
  if (!(await pins.accept({ provider, tools, by, at: now() }))) throw notAsShown(provider);
  return tools.map((each) => fullNameOf(provider, each.tool));
}
