import { userInfo } from 'node:os';
import type { Config } from '../../config/config.js';
import type { ConfigurationChangedEvent } from '../../core/ledger/ledger-event.js';
import type { ProviderPin, ProviderPins } from '../../core/ports/provider-pins.port.js';
import { tell } from '../../core/stderr.js';
import { openProviderPins } from '../../engines/open-provider-pins.js';
import { acceptShown } from '../../governance/providers/acceptance/accept-shown.js';
import {
  changeLines,
  hashOfAll,
  pinState,
  waitingPins,
} from '../../governance/providers/acceptance/describe-change.js';
import { fullNameOf } from '../../governance/providers/review-tools.js';
import { plainJson } from '../../text/plain-line.js';
import { seenLine } from '../../text/show-unseen.js';
import { type AcceptFlags, type ProviderFlags, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { recordEvent } from '../running/record-event.js';

const print = (lines: readonly string[]): void => {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
};

async function withPins<T>(
  flags: ProviderFlags,
  work: (pins: ProviderPins, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(settingsFrom(flags));
  const pins = openProviderPins(config, 'command');
  try {
    return await work(pins, config);
  } finally {
    await pins.close();
  }
}

function stateLine(pin: ProviderPin): string {
  const name = seenLine(fullNameOf(pin.provider, pin.tool));
  const state = pinState(pin);
  if (state === 'unusable') return `${name}: can't be accepted: ${seenLine(pin.listed?.problem ?? '')}`;
  if (state !== 'accepted' || !pin.accepted)
    return `${name}: ${state}${state === 'gone' ? '' : ', not callable'}`;
  const { at, by } = pin.accepted;
  return `${name}: accepted by ${seenLine(by)}, ${new Date(at).toISOString()}`;
}

const NOTHING =
  'No tools of providers are known yet. A server with `providers` in its governance file notes them.';

/** `pith providers list` */
export function listProviders(flags: ProviderFlags): Promise<void> {
  return withPins(flags, async (store) => {
    const pins = await store.pins();
    if (flags.json) {
      print(
        pins.map((pin) => {
          const { provider, tool, listed } = pin;
          const { hash = null, problem = null } = listed ?? {};
          return plainJson({ provider, tool, state: pinState(pin), hash, problem }, 0);
        }),
      );
      return;
    }
    const waiting = waitingPins(pins).length;
    const hint = waiting > 0 ? [`${waiting} wait for acceptance: pith providers diff`] : [];
    print(pins.length === 0 ? [NOTHING] : [...pins.map(stateLine), ...hint]);
  });
}

function acceptAdvice(pins: readonly ProviderPin[]): string {
  const [first] = pins;
  const name = first?.provider ?? '';
  return `To accept all of this: pith providers accept ${name} --hash ${hashOfAll(pins)}`;
}

/** `pith providers diff` */
export function diffProviders(name: string | undefined, flags: ProviderFlags): Promise<void> {
  return withPins(flags, async (store) => {
    const waiting = waitingPins(await store.pins(name));
    if (waiting.length === 0) {
      print(['Nothing waits for acceptance.']);
      return;
    }
    for (const provider of new Set(waiting.map((pin) => pin.provider))) {
      const own = waiting.filter((pin) => pin.provider === provider);
      print([...own.flatMap((pin) => [...changeLines(pin), '']), acceptAdvice(own), '']);
    }
  });
}

/** `pith providers accept` */
export function acceptProvider(provider: string, { tool, hash, ...flags }: AcceptFlags): Promise<void> {
  return withPins(flags, async (pins, config) => {
    const recorded = (event: ConfigurationChangedEvent): Promise<void> =>
      recordEvent(config, event).catch((error: unknown) => {
        tell(`The acceptance could not be recorded in the run ledger: ${String(error)}`);
      });
    const given = { provider, tool, hash, by: userInfo().username };
    const names = await acceptShown(given, { pins, record: recorded, now: Date.now });
    print([`Accepted: ${names.join(', ')}`]);
  });
}
