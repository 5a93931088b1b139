import { userInfo } from 'node:os';
import { settingsFrom } from '../../cli/flags.js';
import { loadConfig } from '../../cli/load-config.js';
import { print } from '../../cli/print.js';
import type { Config } from '../../config/config.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { tell } from '../../core/stderr.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import { plainJson, plainLine } from '../../text/plain-line.js';
import { seenLine } from '../../text/show-unseen.js';
import { readGovernance } from '../agents/read-governance.js';
import { openGovernanceDatabase } from '../governance-store.js';
import type { ConfigurationChangedEvent } from '../ledger/ledger-event.js';
import { acceptShown } from '../providers/acceptance/accept-shown.js';
import { changeLines, hashOfAll, pinState, waitingPins } from '../providers/acceptance/describe-change.js';
import { providerConfigs } from '../providers/provider-file.js';
import { type ProviderPin, ProviderPins } from '../providers/provider-pins.js';
import { fullNameOf } from '../providers/review-tools.js';
import type { AcceptFlags, ProviderFlags } from './flags.js';
import { isStoreMissing, recordEvent } from './open-governance.js';
import { programTroubles } from './provider-warnings.js';
import { START_SERVER } from './tool-trouble.js';

async function withPins<T>(
  flags: ProviderFlags,
  work: (pins: ProviderPins, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(settingsFrom(flags));
  const pins = new ProviderPins(openGovernanceDatabase(config, 'command'));
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

/** The providers of the governance file; null if no file is configured. */
function namesInFile({ governance: { file } }: Config, tools: readonly AnyTool[]): readonly string[] | null {
  return file === '' ? null : providerConfigs(readGovernance(file, tools).providers).map(({ name }) => name);
}

/** Providers whose program can't be started on this machine. */
function programLines({ governance: { file } }: Config, tools: readonly AnyTool[]): string[] {
  if (file === '') return [];
  return providerConfigs(readGovernance(file, tools).providers).flatMap(({ name, transport }) =>
    programTroubles(name, transport).map((trouble) => `warning: ${trouble}`),
  );
}

function rowOf(pin: ProviderPin, inFile: boolean | null): string {
  const { provider, tool, listed } = pin;
  const { hash = null, problem = null } = listed ?? {};
  return plainJson({ provider, tool, state: pinState(pin), hash, problem, in_file: inFile }, 0);
}

/** Says that the tools of a provider are not offered any more. */
const REMOVED = ' (its provider is no longer in the governance file)';

/** `pith providers list` */
export function listProviders(flags: ProviderFlags, tools: readonly AnyTool[]): Promise<void> {
  return withPins(flags, async (store, config) => {
    const configured = namesInFile(config, tools);
    const pins = await knownPins(store);
    const known = new Set(pins.map(({ provider }) => provider));
    const never = (configured ?? []).filter((name) => !known.has(name));
    const isConfigured = ({ provider }: ProviderPin): boolean | null =>
      configured?.includes(provider) ?? null;
    if (flags.json) {
      const unknown = { tool: null, state: 'never_connected', hash: null, problem: null, in_file: true };
      print(...pins.map((pin) => rowOf(pin, isConfigured(pin))));
      print(...never.map((provider) => plainJson({ provider, ...unknown }, 0)));
      return;
    }
    const waiting = waitingPins(pins).length;
    const lines = [
      ...pins.map((pin) => `${stateLine(pin)}${isConfigured(pin) === false ? REMOVED : ''}`),
      ...never.map((name) => `${name}: no server has connected to it yet`),
      ...(never.length > 0 ? [START_SERVER] : []),
      ...programLines(config, tools),
      ...(waiting > 0 ? [`${waiting} wait for acceptance: pith providers diff`] : []),
    ];
    print(...(lines.length === 0 ? [NOTHING] : lines));
  });
}

/** The stored definitions; empty before a server has stored any. */
async function knownPins(store: ProviderPins): Promise<ProviderPin[]> {
  try {
    return await store.pins();
  } catch (error) {
    if (isStoreMissing(error)) return [];
    throw error;
  }
}

/** A name that an operator gives. */
interface NamedProvider {
  readonly name: string;
  readonly tools: readonly AnyTool[];
}

/** @throws InvalidArgumentError if a provider is neither stored nor in the file */
async function checkKnown(
  { name, tools }: NamedProvider,
  store: ProviderPins,
  config: Config,
): Promise<void> {
  const stored = (await knownPins(store)).map(({ provider }) => provider);
  const known = [...new Set([...stored, ...(namesInFile(config, tools) ?? [])])].sort();
  if (known.includes(name)) return;
  throw new InvalidArgumentError(`There is no provider ${plainLine(name)}.`, {
    reason: 'unknown_provider',
    hint: `Providers: ${known.join(', ') || 'none'}.`,
  });
}

function acceptAdvice(pins: readonly ProviderPin[]): string {
  const [first] = pins;
  const name = first?.provider ?? '';
  return `To accept all of this: pith providers accept ${name} --hash ${hashOfAll(pins)}`;
}

/** `pith providers diff` */
export function diffProviders(
  name: string | undefined,
  flags: ProviderFlags,
  tools: readonly AnyTool[],
): Promise<void> {
  return withPins(flags, async (store, config) => {
    if (name !== undefined) await checkKnown({ name, tools }, store, config);
    const all = await knownPins(store);
    const waiting = waitingPins(all.filter(({ provider }) => name === undefined || provider === name));
    const seen = new Set(all.map(({ provider }) => provider));
    const never = (namesInFile(config, tools) ?? []).filter(
      (each) => !seen.has(each) && (name === undefined || each === name),
    );
    const notes = never.map((each) => `${each}: no server has connected to it yet`);
    if (never.length > 0) notes.push(START_SERVER, ...programLines(config, tools));
    if (waiting.length === 0) {
      print(...(notes.length > 0 ? notes : ['Nothing waits for acceptance.']));
      return;
    }
    for (const provider of new Set(waiting.map((pin) => pin.provider))) {
      const own = waiting.filter((pin) => pin.provider === provider);
      print(...own.flatMap((pin) => [...changeLines(pin), '']), acceptAdvice(own), '');
    }
  });
}

/** `pith providers accept` */
export function acceptProvider(
  provider: string,
  { tool, hash, ...flags }: AcceptFlags,
  tools: readonly AnyTool[],
): Promise<void> {
  return withPins(flags, async (pins, config) => {
    await checkKnown({ name: provider, tools }, pins, config);
    const recorded = (event: ConfigurationChangedEvent): Promise<void> =>
      recordEvent(config, event).catch((error: unknown) => {
        tell(`The acceptance could not be recorded in the run ledger: ${String(error)}`);
      });
    const given = { provider, tool, hash, by: userInfo().username };
    const names = await acceptShown(given, { pins, record: recorded, now: Date.now });
    print(`Accepted: ${names.join(', ')}`);
  });
}
