import { parse as parseToml } from 'smol-toml';
import { parseSettings } from '../reading/written-yaml.js';
import type { CorpusFiles } from './inclusion.js';

/** Longer values are not put into pages. */
const MAX_VALUE_CHARS = 2_000;

const FORMATS = ['yml', 'yaml', 'toml', 'json'];

/** The files of settings and of data of a site, each parsed once. */
export class SiteValues {
  constructor(
    private readonly files: CorpusFiles,
    private readonly parsed = new Map<string, unknown>(),
  ) {}

  /** The values for pages that may see only some of the files. */
  within(files: CorpusFiles): SiteValues {
    return new SiteValues(files, this.parsed);
  }

  /** @param name  without its extension @returns undefined without such a file */
  settings(name: string): unknown {
    const path = FORMATS.map((format) => `${name}.${format}`).find((candidate) => this.files.has(candidate));
    return path === undefined ? undefined : this.parse(path);
  }

  /** A value of the data files in a folder: `menus.main.title` can be in `menus.yml` or in `menus/main.yml`. */
  data(folder: string, keys: readonly string[]): unknown {
    for (let at = 1; at <= keys.length; at++) {
      const settings = this.settings([folder, ...keys.slice(0, at)].join('/'));
      if (settings !== undefined) return valueBelow(settings, keys.slice(at));
    }
    return undefined;
  }

  private parse(path: string): unknown {
    if (!this.parsed.has(path))
      this.parsed.set(path, parsedText(this.files.read(path) ?? '', path.endsWith('.toml')));
    return this.parsed.get(path);
  }
}

function parsedText(text: string, isToml: boolean): unknown {
  try {
    return isToml ? parseToml(text) : parseSettings(text);
  } catch {
    // Broken settings have no values; the site could not be built with them.
    return undefined;
  }
}

/** The value below some keys of maps and lists, in any case; undefined without it. */
export function valueBelow(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((within, key) => {
    if (typeof within !== 'object' || within === null) return undefined;
    const exact = Object.getOwnPropertyDescriptor(within, key);
    return exact?.enumerable === true ? exact.value : byLowerKey(within).get(key.toLowerCase());
  }, value);
}

/** The values of maps by their keys in lower case: pages ask large maps many times. */
const lowered = new WeakMap<object, ReadonlyMap<string, unknown>>();

function byLowerKey(map: object): ReadonlyMap<string, unknown> {
  const known = lowered.get(map);
  if (known) return known;
  // The first of several keys counts.
  const made = new Map(
    Object.entries(map)
      .reverse()
      .map(([key, value]): [string, unknown] => [key.toLowerCase(), value]),
  );
  lowered.set(map, made);
  return made;
}

/** A value as a page shows it; null for a list, a map, an empty or a long text, and without a value. */
export function shownValue(value: unknown): string | null {
  const isShown = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = isShown ? String(value).trim() : '';
  return text !== '' && text.length <= MAX_VALUE_CHARS ? text : null;
}
