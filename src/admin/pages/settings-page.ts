import type { SettingsQuery } from '../admin-query.js';
import type { SettingFact, SettingGroup } from '../facts/settings-facts.js';
import { filterForm, inputField, type SelectChoice, selectField } from '../views/fields.js';
import { type Html, html, type Part } from '../views/html.js';
import { type Frame, page } from '../views/layout.js';
import { table } from '../views/table.js';

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
        { name: 'Allowed', cell: ({ takes }) => takes },
        { name: 'Description', cell: ({ about }) => about },
      ],
    })}
  </section>`;
}

/** Settings whose name or description contains a text, or that were changed; without empty groups. */
function chosen(
  groups: readonly SettingGroup[],
  { find = '', changed = false }: SettingsQuery,
): SettingGroup[] {
  const wanted = find.trim().toLowerCase();
  const isChosen = ({ name, about, is_default: isDefault }: SettingFact): boolean =>
    `${name} ${about}`.toLowerCase().includes(wanted) && !(changed && isDefault);
  return groups
    .map(({ group, settings }) => ({ group, settings: settings.filter(isChosen) }))
    .filter(({ settings }) => settings.length > 0);
}

const SHOWN: readonly SelectChoice[] = [
  ['', 'all settings'],
  ['true', 'changed settings'],
];

function filters({ find = '', changed = false }: SettingsQuery): Html {
  return filterForm({
    action: '/admin/settings',
    label: 'Filter settings',
    fields: html`${inputField({ name: 'find', label: 'Name or description', value: find, type: 'text' })}
    ${selectField({ name: 'changed', label: 'Show', value: changed ? 'true' : '', choices: SHOWN })}`,
  });
}

/** The filtered settings. For secrets, the page shows only whether they are set. */
export function settingsPage(groups: readonly SettingGroup[], query: SettingsQuery, frame: Frame): string {
  const shownGroups = chosen(groups, query);
  return page({
    title: 'Settings',
    place: '/admin/settings',
    frame,
    lead: `The values that this process uses. For secrets, the page shows only if they are set. To change a
      setting, set its variable and start the server again.`,
    content: html`${filters(query)}
    ${shownGroups.length > 0 ? shownGroups.map(groupTable) : html`<p class="empty">No setting matches. <a href="/admin/settings">Show all</a></p>`}`,
  });
}
