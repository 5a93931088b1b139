import { type Config, GROUPS } from '../../config/config.js';
import { settingsOf } from '../../config/setting.js';

export type SettingGroup = ReturnType<typeof settingsFacts>[number];
export type SettingFact = SettingGroup['settings'][number];

/** URLs may contain a user name and a password, or a key in the query string. */
const withoutCredentials = (text: string): string =>
  text.replace(/\/\/[^/?#\s]*@/g, '//***@').replace(/(:\/\/[^?\s]*)\?\S*/g, '$1?***');

function shown(value: unknown, isSecret: boolean): unknown {
  if (isSecret) return value === '' ? 'empty' : 'set';
  return typeof value === 'string' ? withoutCredentials(value) : value;
}

/** Every setting, in the order of the groups. The value of a secret is `set` or `empty`. */
export function settingsFacts(config: Config) {
  const values = new Map<string, object>(Object.entries(config));
  return Object.entries(GROUPS).map(([group, type]) => {
    const own = new Map<string, unknown>(Object.entries(values.get(group) ?? {}));
    const defaults = new Map<string, unknown>(Object.entries(new type()));
    const settings = [...settingsOf(type)].map(([property, { env, about, takes, secret }]) => {
      const [value, initial] = [own.get(property), defaults.get(property)];
      return {
        name: env,
        value: shown(value, secret),
        default: shown(initial, secret),
        is_default: JSON.stringify(value) === JSON.stringify(initial),
        takes,
        about,
      };
    });
    return { group, settings };
  });
}
