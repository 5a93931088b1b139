import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { didYouMean, nearestName } from '../text/nearest-name.js';
import { correctInnerVoice } from './correct-inner-voice.js';
import { givenPath } from './given-path.js';
import { InvalidConfigurationError } from './invalid-configuration.js';
import { isPathSetting, type SettingFacts, settingsOf } from './setting.js';
import { AdminConfig } from './settings/admin.config.js';
import { ApprovalWebhookConfig } from './settings/approval-webhook.config.js';
import { BackendsConfig } from './settings/backends.config.js';
import { DiagnosticsConfig } from './settings/diagnostics.config.js';
import { DomainsConfig } from './settings/domains.config.js';
import { EvidenceConfig } from './settings/evidence.config.js';
import { GovernanceConfig } from './settings/governance.config.js';
import { HttpConfig } from './settings/http.config.js';
import { IndexConfig } from './settings/index.config.js';
import { InnerVoiceConfig } from './settings/inner-voice.config.js';
import { LedgerConfig } from './settings/ledger.config.js';
import { LimitsConfig } from './settings/limits.config.js';
import { ModelsConfig } from './settings/models.config.js';
import { QuestionsConfig } from './settings/questions.config.js';
import { ScopeConfig } from './settings/scope.config.js';
import { ScratchConfig } from './settings/scratch.config.js';
import { ServerConfig } from './settings/server.config.js';
import { SubstrateConfig } from './settings/substrate.config.js';
import { SurfaceConfig } from './settings/surface.config.js';
import { TelemetryConfig } from './settings/telemetry.config.js';

/** Every group of settings, in documentation order. */
export const GROUPS = {
  index: IndexConfig,
  backends: BackendsConfig,
  models: ModelsConfig,
  scope: ScopeConfig,
  http: HttpConfig,
  limits: LimitsConfig,
  scratch: ScratchConfig,
  surface: SurfaceConfig,
  domains: DomainsConfig,
  substrate: SubstrateConfig,
  governance: GovernanceConfig,
  approvalWebhook: ApprovalWebhookConfig,
  evidence: EvidenceConfig,
  innerVoice: InnerVoiceConfig,
  diagnostics: DiagnosticsConfig,
  questions: QuestionsConfig,
  ledger: LedgerConfig,
  admin: AdminConfig,
  telemetry: TelemetryConfig,
  server: ServerConfig,
} as const;

type Settings = { readonly [K in keyof typeof GROUPS]: InstanceType<(typeof GROUPS)[K]> };

/** Has no fields: `parseConfig` makes every config. */
const Settings = class {} as unknown as abstract new () => Settings;

/** All settings of one process. A class, so that it is also the injection token. */
export abstract class Config extends Settings {}

/** Values by environment variable name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const OURS = /^(?:PITH|RETRIEVAL_DIAGNOSTICS)_/;
/** Edits that a typo takes at most. */
const TYPO_EDITS = 2;
const NEARBY = /^(?:MCP|MAX|ENABLE_LEGACY|SURR)_/;

function knownNames(): string[] {
  return Object.values(GROUPS).flatMap((group) => [...settingsOf(group).values()].map((facts) => facts.env));
}

function unknownNames(environment: Environment): string[] {
  const known = knownNames();
  return Object.keys(environment)
    .filter((name) => OURS.test(name) && environment[name] !== undefined && !known.includes(name))
    .map(
      (name) =>
        `${name} is not a setting of Pith${didYouMean(name, known) || '. docs/settings.md has all of them.'}`,
    );
}

/** The settings of the environment: values without passwords in addresses, and names of those that are secret. */
export function givenSettings(environment: Environment = process.env): {
  readonly settings: Record<string, string>;
  readonly secrets: string[];
} {
  const facts = Object.values(GROUPS).flatMap((group) => [...settingsOf(group).values()]);
  const given = facts.filter(({ env }) => (environment[env] ?? '') !== '');
  const shown = given
    .filter(({ secret }) => !secret)
    .map(({ env }): [string, string] => {
      return [env, (environment[env] ?? '').replaceAll(/\/\/[^/@\s]*@/gu, '//')];
    });
  const secrets = given.filter(({ secret }) => secret).map(({ env }) => env);
  return { settings: Object.fromEntries(shown), secrets };
}

/** Spares most comparisons, which would take a tenth of a start. */
const ofLikeLength = (name: string) => (other: string) => Math.abs(other.length - name.length) <= TYPO_EDITS;

/** Probable typos in names without the PITH prefix. They only warn, because another program may own the name. */
export function nearMisses(environment: Environment): string[] {
  const known = knownNames().filter((name) => NEARBY.test(name));
  return Object.keys(environment)
    .filter((name) => !OURS.test(name) && !known.includes(name))
    .map((name) => ({ name, near: nearestName(name, known.filter(ofLikeLength(name))) }))
    .filter(({ near }) => near.distance <= TYPO_EDITS)
    .map(({ name, near }) => `${name} is not a setting of Pith. Did you mean ${near.name}?`);
}

/** Reads the path of a setting, or its paths. @returns the first problem, if there is one */
function readPaths(
  value: string,
  { takes }: SettingFacts,
): { readonly read: string; readonly problem: string | null } {
  const texts = takes.startsWith('comma-separated') ? value.split(',').map((text) => text.trim()) : [value];
  const given = texts.map((text) => givenPath(text));
  const problem = given.find((one) => one.problem !== null)?.problem ?? null;
  return { read: given.map(({ path }) => path ?? '').join(','), problem };
}

function readGroup<T extends object>(group: new () => T, environment: Environment, problems: string[]): T {
  const given: Record<string, string> = {};
  for (const [property, facts] of settingsOf(group)) {
    const value = environment[facts.env];
    if (value === undefined) continue;
    const { read, problem } = isPathSetting(facts) ? readPaths(value, facts) : { read: value, problem: null };
    if (problem === null) given[property] = read;
    else problems.push(`${facts.env}: ${problem}.`);
  }
  const settings = plainToInstance(group, given, { exposeDefaultValues: true });
  for (const error of validateSync(settings)) {
    const facts = settingsOf(group).get(error.property);
    if (facts)
      problems.push(
        `${facts.env}: expected ${facts.takes}${facts.secret ? '' : `, got ${shown(given[error.property])}`}.`,
      );
  }
  return settings;
}

function shown(value: string | undefined): string {
  return JSON.stringify(value ?? '').slice(0, 80);
}

/** The run ledger is on where the domain `run` is offered: every change of a run is recorded there. */
function requireLedger({ domains, ledger }: Pick<Config, 'domains' | 'ledger'>, problems: string[]): void {
  if (!domains.offered.includes('run')) return;
  if (ledger.mode === 'off')
    problems.push(
      'MCP_DOMAINS: run needs the run ledger, which PITH_LEDGER=off turns off. Set PITH_LEDGER to auto or on, or leave out run.',
    );
  else ledger.mode = 'on';
}

/** A shared index is found by its project. */
function requireDatabase({ index, backends, scope }: Config, problems: string[]): void {
  if (index.store === 'file') return;
  if (backends.database === '')
    problems.push('PITH_INDEX_STORE=database needs PITH_DATABASE, the PostgreSQL database of all replicas.');
  if (scope.project === '')
    problems.push('PITH_INDEX_STORE=database needs PITH_PROJECT, the same for servers and pith index.');
}

/** Reads every setting. @throws InvalidConfigurationError with every wrong value and unknown PITH_* variable */
export function parseConfig(environment: Environment): Config {
  const problems = unknownNames(environment);
  const { environment: corrected } = correctInnerVoice(environment);
  const groups = Object.entries(GROUPS).map(([name, group]) => [
    name,
    readGroup<object>(group, corrected, problems),
  ]);
  const config: Config = Object.fromEntries(groups);
  requireLedger(config, problems);
  requireDatabase(config, problems);
  config.backends.governanceDatabase ||= config.backends.database;
  if (problems.length > 0) throw new InvalidConfigurationError(problems);
  return config;
}

/** Reads the environment of this process. `overrides` come from the command line and take precedence. */
export function readConfig(overrides: Environment = {}): Config {
  return parseConfig({ ...process.env, ...overrides });
}

/** The environment of a child process. `settings` take precedence over those of this process. */
export function childEnvironment(settings: Environment): Environment {
  return { ...process.env, ...settings };
}

/** Some variables of this process, for a program that should know no others. */
export function pickEnvironment(names: readonly string[]): Environment {
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/** Warnings about the environment of this process, for stderr. */
export function configWarnings(): string[] {
  return [...nearMisses(process.env), ...correctInnerVoice(process.env).warnings];
}
