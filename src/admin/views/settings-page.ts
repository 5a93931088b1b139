import type { SettingFact, SettingGroup } from '../settings-facts.js';
import { html } from './html.js';
import type { Html, Part } from './html.js';
import { page } from './layout.js';
import { table } from './table.js';

const NAMES: Readonly<Record<string, string>> = { http: 'HTTP', innerVoice: 'Inner voice' };
const nameOf = (group: string): string => NAMES[group] ?? group.charAt(0).toUpperCase() + group.slice(1);

function shown(value: unknown): Part {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return html`<em>empty</em>`;
  return html`<bdi class="id">${Array.isArray(value) ? value.join(', ') : String(value)}</bdi>`;
}

function value({ value: own, is_default: isDefault }: SettingFact): Part {
  return isDefault ? shown(own) : html`<strong>${shown(own)}</strong> <span class="tag">changed</span>`;
}

function groupTable({ group, settings }: SettingGroup): Html {
  return html`<section class="card settings" aria-labelledby="g-${group}">
    <h2 id="g-${group}">${nameOf(group)}</h2>
    ${table({
      caption: `Settings: ${nameOf(group)}`,
      isCaptionHidden: true,
      rows: settings,
      columns: [
        { name: 'Variable', isHead: true, cell: ({ name }) => html`<code class="id">${name}</code>` },
        { name: 'Value', cell: value },
        { name: 'Default', cell: ({ default: initial }) => shown(initial) },
        { name: 'Takes', cell: ({ takes }) => takes },
        { name: 'What it does', cell: ({ about }) => about },
      ],
    })}
  </section>`;
}

/** Every setting; of secrets only whether they are set. */
export function settingsPage(groups: readonly SettingGroup[], version: string): string {
  return page({
    title: 'Settings',
    place: '/admin/settings',
    version,
    content: html`<h1>Settings</h1>
      <p class="lead">As this process reads them. Secrets are never shown, only whether they are set.</p>
      ${groups.map(groupTable)}`,
  });
}
