import 'reflect-metadata';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsNumber, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

/** One setting as people read about it: in `--help`, the README's table and error messages. */
export interface SettingFacts {
  readonly env: string;
  readonly about: string;
  /** What values it takes, in words. */
  readonly takes: string;
  readonly secret: boolean;
}

/** One decorator of several. Nest has one too, but the command line should not load it. */
function together(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

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

/** The settings of a configuration class: property name to facts, in the order they were declared. */
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

/** A switch: 1/0, true/false, on/off, yes/no. */
export function Flag(env: string, about: string): PropertyDecorator {
  return together(
    register({ env, about, takes: 'true, false', secret: false }),
    Transform(({ value }) => readFlag(value)),
    IsBoolean(),
  );
}

/** A switch that 1 alone turns on. */
export function Gate(env: string, about: string): PropertyDecorator {
  return together(
    register({ env, about, takes: '1, 0', secret: false }),
    Transform(({ value }) => (typeof value === 'string' ? value.trim() === '1' : value)),
    IsBoolean(),
  );
}

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
}

/** A number within bounds, with a fraction or without. */
export function Amount(env: string, about: string, bounds: { min: number; max: number }): PropertyDecorator {
  return together(
    register({ env, about, takes: `${bounds.min} to ${bounds.max}`, secret: false }),
    Transform(({ value }) => readNumber(value)),
    IsNumber(),
    Min(bounds.min),
    Max(bounds.max),
  );
}

/** A whole number within bounds. */
export function Count(env: string, about: string, bounds: { min: number; max: number }): PropertyDecorator {
  return together(
    register({ env, about, takes: `${bounds.min} to ${bounds.max}`, secret: false }),
    Transform(({ value }) => readNumber(value)),
    IsInt(),
    Min(bounds.min),
    Max(bounds.max),
  );
}

/** A text of at most 4,096 characters. */
export function Text(env: string, about: string, options: TextOptions = {}): PropertyDecorator {
  return together(
    register({ env, about, takes: options.takes ?? 'text', secret: options.secret ?? false }),
    IsString(),
    MaxLength(4096),
    ...(options.pattern ? [Matches(options.pattern)] : []),
  );
}

/** One of a few words. */
export function Choice(env: string, about: string, words: readonly string[]): PropertyDecorator {
  return together(register({ env, about, takes: words.join(', '), secret: false }), IsIn([...words]));
}

/** A list, comma separated in the environment; empty means no restriction. */
export function List(env: string, about: string, takes = 'comma-separated'): PropertyDecorator {
  return together(
    register({ env, about, takes, secret: false }),
    Transform(({ value }) => (typeof value === 'string' ? splitList(value) : value)),
    IsString({ each: true }),
    MaxLength(256, { each: true }),
  );
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
