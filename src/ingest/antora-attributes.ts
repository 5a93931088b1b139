import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AsciidocAttributes } from './reading/parsed-document.js';
import { parseSettings } from './reading/written-yaml.js';
import { PLAYBOOKS } from './site-marks.js';
import { readSmall } from './site-rules.js';

/** The settings of a component, and those of a whole site, which may be in another repository. */
const COMPONENT = 'antora.yml';
/** Folders above the component that may have the playbook. */
const MAX_ABOVE = 2;
const MAX_ATTRIBUTES = 500;
const MAX_VALUE_CHARS = 2_000;
/** The attribute with the version of the component, as Antora names it. */
export const COMPONENT_VERSION = 'page-component-version';
/** Read as text: as a number, 2.10 would be 2.1. */
const VERSION = /^version:[ \t]*(['"]?)(?!(?:true|false|null)\b)(\w[\w.-]{0,60})\1[ \t]*(?:#.*)?$/m;
const REFERENCE = /\{(\w[\w-]{0,62})\}/g;

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
const valueIn = (map: unknown, key: string): unknown => entriesOf(map).find(([name]) => name === key)?.[1];

/** The attributes in a file of settings. @returns [] for a file that can't be read */
function attributesIn(file: string): readonly (readonly [string, string | null])[] {
  try {
    const settings: unknown = parseSettings(readSmall(file));
    return entriesOf(valueIn(valueIn(settings, 'asciidoc'), 'attributes'))
      .slice(0, MAX_ATTRIBUTES)
      .flatMap(([name, value]): (readonly [string, string | null])[] => {
        if (value === null || value === false) return [[name, null]];
        const text = value === true ? '' : value;
        const isText = typeof text === 'string' || typeof text === 'number';
        return isText && String(text).length <= MAX_VALUE_CHARS ? [[name, String(text)]] : [];
      });
  } catch {
    // Not YAML: as without settings.
    return [];
  }
}

/** Replaces references to other attributes, as Antora does. */
function withValues(attributes: AsciidocAttributes): AsciidocAttributes {
  const values = new Map(Object.entries(attributes));
  const expand = (text: string): string =>
    text.replace(REFERENCE, (written, name: string) => values.get(name)?.replace(/@$/, '') ?? written);
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, value === null ? null : expand(value)]),
  );
}

/** @param folder  of the component */
function versionIn(folder: string): AsciidocAttributes {
  try {
    const version = VERSION.exec(readSmall(join(folder, COMPONENT)))?.[2];
    return version === undefined ? {} : { [COMPONENT_VERSION]: version };
  } catch {
    // Not readable: as without a version.
    return {};
  }
}

/** @param folder  of the component */
function componentAttributes(folder: string): AsciidocAttributes {
  const above = [folder, dirname(folder), dirname(dirname(folder))].slice(0, MAX_ABOVE + 1);
  const playbook = above
    .flatMap((at) => PLAYBOOKS.map((name) => join(at, name)))
    .find((file) => existsSync(file));
  const ofSite = playbook === undefined ? [] : attributesIn(playbook);
  const own = attributesIn(join(folder, COMPONENT));
  const fixed = ofSite.filter(([, value]) => value?.endsWith('@') !== true);
  const all = { ...versionIn(folder), ...Object.fromEntries([...ofSite, ...own, ...fixed]) };
  // Nearly every site of Antora sets a prefix.
  return withValues(playbook === undefined && !('idprefix' in all) ? { ...all, idprefix: null } : all);
}

/**
 * Finds the attributes that Antora gives a page of AsciiDoc; null for other pages. `idprefix` is null if the site that
 * sets it is not known.
 */
export function antoraAttributesOf(): (absolute: string) => AsciidocAttributes | null {
  const known = new Map<string, AsciidocAttributes | null>();
  return (absolute) => {
    const [, folder] = /^(.*)[\\/]modules[\\/][^\\/]+[\\/].*\.(?:adoc|asciidoc)$/i.exec(absolute) ?? [];
    if (folder === undefined) return null;
    const attributes =
      known.get(folder) ?? (existsSync(join(folder, COMPONENT)) ? componentAttributes(folder) : null);
    known.set(folder, attributes);
    return attributes;
  };
}
