import { GROUPS } from './config.js';
import { settingsOf } from './setting.js';

const escaped = (text: string): string => text.replaceAll('|', '\\|');

function shownDefault(value: unknown): string {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'empty';
  return `\`${String(value)}\``;
}

/** Every setting as a Markdown table, in documentation order. A test compares the README with it. */
export function configurationTable(): string {
  const rows = Object.values(GROUPS).flatMap((group) => {
    const defaults = new Map(Object.entries(new group()));
    return [...settingsOf(group)].map(
      ([property, { env, takes, about }]) =>
        `| \`${env}\` | ${shownDefault(defaults.get(property))} | ${escaped(takes)} | ${escaped(about)} |`,
    );
  });
  return ['| Variable | Default | Values | Description |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
