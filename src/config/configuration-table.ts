import { GROUPS } from './config.js';
import { settingsOf } from './setting.js';

const escaped = (text: string): string => text.replaceAll('|', '\\|');

function shownDefault(value: unknown): string {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'empty';
  return `\`${String(value)}\``;
}

/** Every setting as a Markdown table, in the order of the groups: for the README, which a test compares with it. */
export function configurationTable(): string {
  const rows = Object.values(GROUPS).flatMap((group) => {
    const defaults = new Map(Object.entries(new group()));
    return [...settingsOf(group)].map(
      ([property, { env, takes, about }]) =>
        `| \`${env}\` | ${shownDefault(defaults.get(property))} | ${escaped(takes)} | ${escaped(about)} |`,
    );
  });
  return ['| Variable | Default | Takes | What it does |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
