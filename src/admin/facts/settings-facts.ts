import { type Config, GROUPS } from '../../config/config.js';
import { settingsOf } from '../../config/setting.js';

/** A setting and its value. */
export interface SettingFact {
  readonly name: string;
  /** Secrets are `set` or `empty`. */
  readonly value: unknown;
  readonly default: unknown;
  readonly is_default: boolean;
  readonly takes: string;
  readonly about: string;
}

export interface SettingGroup {
  readonly group: string;
  readonly settings: readonly SettingFact[];
}

/** URLs may contain a user name and a password, or a key in the query string. */
const withoutCredentials = (text: string): string =>
  text.replace(/\/\/[^/?#\s]*@/g, '//***@').replace(/(:\/\/[^?\s]*)\?\S*/g, '$1?***');

function shown(value: unknown, isSecret: boolean): unknown {
  if (isSecret) return value === '' ? 'empty' : 'set';
  return typeof value === 'string' ? withoutCredentials(value) : value;
}

/** Every setting, in the order of the groups, without secrets. */
export function settingsFacts(config: Config): readonly SettingGroup[] {
  const values = new Map<string, object>(Object.entries(config));
  return Object.entries(GROUPS).map(([group, type]) => {
    const own = new Map<string, unknown>(Object.entries(values.get(group) ?? {}));
    const defaults = new Map<string, unknown>(Object.entries(new type()));
    const settings = [...settingsOf(type)].map(([property, { env, about, takes, secret }]): SettingFact => {
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
