import {
  placeText,
  providerPage,
  type ProviderPageView,
  toolCounts,
} from '../../../../../src/governance/pages/providers/provider-page.js';
import { providersPage } from '../../../../../src/governance/pages/providers/providers.controller.js';
import { hashOfAll } from '../../../../../src/governance/providers/acceptance/describe-change.js';
import type { ProviderPin } from '../../../../../src/governance/providers/provider-pins.js';
import { snapshotOf } from '../../../../../src/governance/providers/tool-snapshot.js';
import { FRAME } from '../../../../support/admin-parts.js';
import { aListedTool } from '../../../../support/provider-tools.js';

const snapshot = (name: string, description: string) => snapshotOf(aListedTool({ name, description }));

function aPin(tool: string, parts: { listed?: string; accepted?: string; problem?: string }): ProviderPin {
  const { listed, accepted, problem = null } = parts;
  return {
    provider: 'files',
    tool,
    listed: listed === undefined ? null : { ...snapshot(tool, listed), problem },
    accepted: accepted === undefined ? null : { ...snapshot(tool, accepted), at: 0, by: 'ann' },
  };
}

const PINS = [
  aPin('changed', { listed: 'two', accepted: 'one' }),
  aPin('gone', { accepted: 'one' }),
  aPin('new', { listed: '<b>one\u200b</b>' }),
  aPin('same', { listed: 'one', accepted: 'one' }),
  aPin('unusable', { listed: 'one', problem: 'its name is that of a tool of Pith' }),
];

const shown = (pins: readonly ProviderPin[], parts: Partial<ProviderPageView> = {}): string =>
  providerPage({
    provider: {
      name: 'files',
      transport: { kind: 'stdio', command: 'node', args: ['x'], env: { K: 'env:K' }, cwd: null },
      isConnected: false,
      retryAt: Date.parse('2026-01-01T11:01:00Z'),
      since: Date.parse('2026-01-01T10:00:00Z'),
      failure: { at: Date.parse('2026-01-01T11:00:00Z'), text: 'spawn <i> ENOENT' },
      pins,
    },
    tool: undefined,
    operator: 'ann',
    mayAccept: true,
    token: 'the-token',
    frame: FRAME,
    ...parts,
  });
const plain = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const hashesIn = (text: string): (string | undefined)[] =>
  [...text.matchAll(/name="hash" value="(\w+)"/g)].map(([, hash]) => hash);

describe('providerPage', () => {
  it('shows the connection since when, and the last failure', () => {
    expect(plain(shown([]))).toContain('files is not connected. Since 2026-01-01 10:00:00 .');
    expect(plain(shown([]))).toContain('Last failure at 2026-01-01 11:00:00 : spawn &lt;i&gt; ENOENT');
    expect(plain(shown([]))).toContain('Next attempt to connect: 2026-01-01 11:01:00');
  });

  it('shows each tool with its state, and why one is unusable', () => {
    const rows = plain(shown(PINS));
    expect(rows).toContain('1 new, 1 changed, 1 unusable, 1 gone, 1 accepted');
    expect(rows).toContain('unusable: its name is that of a tool of Pith');
  });

  it('has a form for each tool that waits, and one for all, with the hashes of what is shown', () => {
    const [changed, , added] = PINS;
    expect(hashesIn(shown(PINS))).toEqual([
      changed?.listed?.hash,
      added?.listed?.hash,
      hashOfAll(PINS.filter(({ tool }) => ['changed', 'new'].includes(tool))),
    ]);
  });

  it('shows differences and definitions as text, with unseen characters', () => {
    const text = shown(PINS);
    expect(text).toContain('- description: one');
    expect(text).toContain('+ description: two');
    expect(text).toContain('&lt;b&gt;one\\u200b&lt;/b&gt;');
  });

  it('shows one tool, without the form for all', () => {
    expect(hashesIn(shown(PINS, { tool: 'new' }))).toEqual([PINS[2]?.listed?.hash]);
    expect(hashesIn(shown(PINS, { tool: 'same' }))).toEqual([]);
  });

  it('has no form for an operator without the permission', () => {
    const text = shown(PINS, { mayAccept: false });
    expect(hashesIn(text)).toEqual([]);
    expect(plain(text)).toContain('without the permission approve');
  });

  it('has forms only for what it shows', () => {
    const many = Array.from({ length: 60 }, (_, i) =>
      aPin(`tool-${String(i).padStart(2, '0')}`, { listed: 'x' }),
    );
    const text = shown(many);
    expect(hashesIn(text)).toEqual(many.slice(0, 40).map(({ listed }) => listed?.hash));
    expect(plain(text)).toContain('20 further tools wait and are not shown here.');
    const large = many.map((pin) => aPin(pin.tool, { listed: 'x'.repeat(60_000) }));
    expect(hashesIn(shown(large))).toEqual(large.slice(0, 6).map(({ listed }) => listed?.hash));
  });
});

describe('providersPage', () => {
  it('says so if there are none', () => {
    expect(plain(providersPage([], FRAME))).toContain('names no providers');
  });
});

describe('the words of the pages', () => {
  it('show the place of a server without parameters', () => {
    const headers = { Authorization: 'Bearer env:K' };
    expect(placeText({ kind: 'http', url: 'https://a.example/mcp?x=1', headers })).toBe(
      'https://a.example/mcp',
    );
  });

  it('count tools', () => {
    expect([toolCounts([]), toolCounts(PINS.slice(1, 2))]).toEqual(['none known', '1 gone']);
  });
});
