import 'reflect-metadata';
import { Transform } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';

/** One setting as documented in `--help`, docs/settings.md and error messages. */
export interface SettingFacts {
  readonly env: string;
  readonly about: string;
  readonly takes: string;
  readonly secret: boolean;
}

/** Combines decorators. Nest exports the same function, but the command line should not load Nest for it. */
function together(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/** A setting for a bearer token. */
export const TOKEN = {
  secret: true,
  takes: 'empty, or at least 16 printable characters',
  pattern: /^$|^[\x21-\x7e]{16,}$/,
} as const;

/** True for a setting that is one path or several. */
export const isPathSetting = ({ takes }: SettingFacts): boolean => /\bpaths?$/.test(takes);

interface TextOptions {
  readonly takes?: string;
  readonly pattern?: RegExp;
  readonly secret?: boolean;
}

const SETTINGS = Symbol('pith:settings');
type SettingMap = Map<string, SettingFacts>;

function register(facts: SettingFacts): PropertyDecorator {
  return (target, property) => {
    const known: SettingMap = Reflect.getMetadata(SETTINGS, target) ?? new Map();
    Reflect.defineMetadata(SETTINGS, known.set(String(property), facts), target);
  };
}

/** Maps each property of a configuration class to its facts, in declaration order. */
export function settingsOf(group: new () => object): ReadonlyMap<string, SettingFacts> {
  return Reflect.getMetadata(SETTINGS, group.prototype) ?? new Map();
}

const TRUE = ['1', 'true', 'on', 'yes'];
const FALSE = ['0', 'false', 'off', 'no'];

function readFlag(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  if (TRUE.includes(word)) return true;
  return FALSE.includes(word) ? false : value;
}

/** A boolean: 1/0, true/false, on/off, yes/no. */
export function Flag(env: string, about: string): PropertyDecorator {
  return together(
    register({ env, about, takes: 'true or false', secret: false }),
    Transform(({ value }) => readFlag(value)),
    IsBoolean(),
  );
}

/** A boolean that only `1` turns on. */
export function Gate(env: string, about: string): PropertyDecorator {
  return together(
    register({ env, about, takes: '1 or 0', secret: false }),
    Transform(({ value }) => (typeof value === 'string' ? value.trim() === '1' : value)),
    IsBoolean(),
  );
}

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
}

function readList(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const words = value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  // Refused, because no entry means no restriction: `$A,$B` with both unset must not lift one.
  return words.length === 0 && value !== '' ? value : words;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** A number within bounds. */
export function Amount(env: string, about: string, { min, max }: Bounds): PropertyDecorator {
  return together(
    register({ env, about, takes: `${min} to ${max}`, secret: false }),
    Transform(({ value }) => readNumber(value)),
    IsNumber(),
    Min(min),
    Max(max),
  );
}

/** An integer within bounds. */
export function Count(env: string, about: string, bounds: Bounds): PropertyDecorator {
  return together(Amount(env, about, bounds), IsInt());
}

/** A string of at most 4,096 characters. */
export function Text(env: string, about: string, options: TextOptions = {}): PropertyDecorator {
  return together(
    register({ env, about, takes: options.takes ?? 'text', secret: options.secret ?? false }),
    IsString(),
    MaxLength(4096),
    ...(options.pattern ? [Matches(options.pattern)] : []),
  );
}

/** One of a fixed set of words. */
export function Choice(env: string, about: string, words: readonly string[]): PropertyDecorator {
  return together(
    register({ env, about, takes: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`, secret: false }),
    IsIn([...words]),
  );
}

/** A comma-separated list. Empty means no restriction. @param pattern  of each entry @param max  characters of each entry */
export function List(
  env: string,
  about: string,
  { takes = 'comma-separated', pattern = /^/, max = 256 }: TextOptions & { readonly max?: number } = {},
): PropertyDecorator {
  return together(
    register({ env, about, takes, secret: false }),
    Transform(({ value }) => readList(value)),
    IsArray(),
    IsString({ each: true }),
    Matches(pattern, { each: true }),
    MaxLength(max, { each: true }),
  );
}

/** A comma-separated list of absolute paths. */
export const Folders = (env: string, about: string): PropertyDecorator =>
  List(env, about, {
    ...{ takes: 'comma-separated absolute paths', pattern: /^(?:\/|[A-Za-z]:[\\/])/, max: 4096 },
  });

/** A comma-separated list of some of these words. */
export const Choices = (env: string, about: string, words: readonly string[]): PropertyDecorator =>
  together(
    List(env, about, { takes: `comma-separated: ${words.join(', ')}` }),
    IsIn([...words], { each: true }),
  );
