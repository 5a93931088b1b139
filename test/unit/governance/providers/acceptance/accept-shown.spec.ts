import type { ConfigurationChangedEvent } from '../../../../../src/governance/ledger/ledger-event.js';
import {
  acceptShown,
  type GivenAcceptance,
  hashOfOne,
} from '../../../../../src/governance/providers/acceptance/accept-shown.js';
import {
  hashOfAll,
  pinState,
  waitingPins,
} from '../../../../../src/governance/providers/acceptance/describe-change.js';
import type { ProviderPins } from '../../../../../src/governance/providers/provider-pins.js';
import { snapshotOf } from '../../../../../src/governance/providers/tool-snapshot.js';
import { pinsIn } from '../../../../support/governance-stores.js';
import { aListedTool } from '../../../../support/provider-tools.js';
import { testFolder } from '../../../../support/test-folder.js';

const folder = testFolder();
let pins: ProviderPins;
let events: ConfigurationChangedEvent[];
let files = 0;

const snapshot = (name: string, description = name) => snapshotOf(aListedTool({ name, description }));

beforeEach(async () => {
  events = [];
  pins = pinsIn({ file: folder.file(`${files++}.sqlite`), creates: true });
  await pins.note('files', [snapshot('read'), snapshot('write')]);
});
afterEach(() => pins.close());
afterAll(() => folder.remove());

const record = async (event: ConfigurationChangedEvent): Promise<void> => void events.push(event);
const accept = (given: Partial<GivenAcceptance>, recorded = record) =>
  acceptShown(
    { provider: 'files', tool: undefined, hash: '', by: 'ann', ...given },
    { pins, record: recorded, now: () => 7 },
  );
const states = async (): Promise<string[]> => (await pins.pins()).map(pinState);
const hashOf = async (tool: string): Promise<string> =>
  (await pins.pins()).filter((pin) => pin.tool === tool).map(hashOfOne)[0] ?? '';

describe('acceptShown', () => {
  it('accepts everything that waits, by the hash of all', async () => {
    const hash = hashOfAll(waitingPins(await pins.pins()));
    expect(await accept({ hash })).toEqual(['files.read', 'files.write']);
    expect((await pins.pins()).map(({ accepted }) => accepted)).toMatchObject([
      { by: 'ann', at: 7 },
      { by: 'ann', at: 7 },
    ]);
  });

  it('accepts one tool by its own hash', async () => {
    expect(await accept({ tool: 'read', hash: await hashOf('read') })).toEqual(['files.read']);
    expect(await states()).toEqual(['accepted', 'new']);
  });

  it('records who accepted, and what was accepted before and after', async () => {
    await accept({ tool: 'read', hash: await hashOf('read') });
    await accept({ tool: 'write', hash: await hashOf('write'), by: 'ben' });
    expect(events).toMatchObject([
      { type: 'configuration.changed', what: 'providers.files', decided_by: 'ann' },
      { type: 'configuration.changed', what: 'providers.files', decided_by: 'ben' },
    ]);
    expect(events[1]?.before).toBe(events[0]?.after);
    expect(events[1]?.after).not.toBe(events[0]?.after);
  });

  it.each<[string, () => Promise<Partial<GivenAcceptance>>, string?]>([
    ['another hash', async () => ({ hash: '0'.repeat(64) })],
    ['the hash of another tool', async () => ({ tool: 'read', hash: await hashOf('write') })],
    ['the hash of one tool for all', async () => ({ hash: await hashOf('read') })],
    ['the hash of all for one tool', async () => ({ tool: 'read', hash: hashOfAll(await pins.pins()) })],
    ['an unknown tool', async () => ({ tool: 'move', hash: await hashOf('read') }), 'unknown_tool'],
    [
      'another provider',
      async () => ({ provider: 'web', tool: 'read', hash: await hashOf('read') }),
      'unknown_tool',
    ],
  ])('refuses %s, and records nothing', async (_, given, reason = 'definition_changed') => {
    await expect(accept(await given())).rejects.toMatchObject({ reason });
    expect([await states(), events]).toEqual([['new', 'new'], []]);
  });

  it.each([
    ['reed', 'files has no tool reed.', 'Did you mean read? Its tools: read, write'],
    ['read', 'files.read does not wait for acceptance.', 'Nothing needs to be done.'],
  ])('says why %s can not be accepted', async (tool, message, hint) => {
    await accept({ tool: 'read', hash: await hashOf('read') });
    await expect(accept({ tool, hash: 'x' })).rejects.toMatchObject({
      message,
      hint: expect.stringContaining(hint),
    });
  });

  it('refuses all if a tool has changed or was added since it was shown', async () => {
    const hash = hashOfAll(waitingPins(await pins.pins()));
    await pins.note('files', [snapshot('read'), snapshot('write', 'other')]);
    await expect(accept({ hash })).rejects.toMatchObject({ reason: 'definition_changed' });
    await pins.note('files', [snapshot('read'), snapshot('write'), snapshot('zip')]);
    await expect(accept({ hash })).rejects.toMatchObject({ reason: 'definition_changed' });
  });

  it('refuses what the provider changes while the acceptance is recorded', async () => {
    const hash = await hashOf('read');
    const slow = () => pins.note('files', [snapshot('read', 'other')]);
    await expect(accept({ tool: 'read', hash }, slow)).rejects.toMatchObject({
      reason: 'definition_changed',
    });
    expect(await states()).toEqual(['new']);
  });

  it('accepts nothing that can not be recorded', async () => {
    const failing = () => Promise.reject(new Error('disk full'));
    await expect(accept({ tool: 'read', hash: await hashOf('read') }, failing)).rejects.toThrow('disk full');
    expect(await states()).toEqual(['new', 'new']);
  });
});
