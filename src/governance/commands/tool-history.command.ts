import { settingsFrom } from '../../cli/flags.js';
import { loadConfig } from '../../cli/load-config.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import { canonicalName } from '../../mcp/surface/surface.js';
import { plainJson, plainLine } from '../../text/plain-line.js';
import { openDefinitions } from '../open-stores.js';
import type { StoredDefinition } from '../registry/definition-store.port.js';
import type { HistoryFlags } from './flags.js';
import { openGovernance } from './open-governance.js';

interface NamedTool {
  readonly name: string;
  /** Undefined for all versions. */
  readonly version: string | undefined;
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

const factsOf = ({ facts }: StoredDefinition): unknown => JSON.parse(facts);

const rowOf = (definition: StoredDefinition): object => {
  const { name, version, schemaHash: schema_hash, provider, firstSeen, lastSeen } = definition;
  const times = { first_seen: timeOf(firstSeen), last_seen: timeOf(lastSeen) };
  return { name, version, schema_hash, provider, ...times, ...Object(factsOf(definition)) };
};

const lineOf = ({ version, schemaHash, provider, firstSeen, lastSeen }: StoredDefinition): string =>
  plainLine(
    `version ${version}, provider ${provider}, ${timeOf(firstSeen)} to ${timeOf(lastSeen)}, schema hash ${schemaHash}`,
  );

function nothingStored({ name, version }: NamedTool): InvalidArgumentError {
  const which = plainLine(version === undefined ? name : `${name} version ${version}`);
  return new InvalidArgumentError(`No definition of ${which} is stored.`, {
    reason: 'invalid_input',
    hint: 'Servers with PITH_GOVERNANCE_FILE or PITH_GOVERNANCE_DATABASE store the definitions of their tools when they start. pith tools lists the tools.',
  });
}

/** `pith tools history` */
export async function printToolHistory(
  { name: given, version }: NamedTool,
  flags: HistoryFlags,
  tools: readonly AnyTool[],
): Promise<void> {
  const config = loadConfig(settingsFrom(flags));
  const { surface } = await openGovernance(config, tools);
  const name = canonicalName(surface, given);
  const store = openDefinitions(config, 'look');
  try {
    const all = await store.history(name);
    const found = all.filter((each) => version === undefined || each.version === version);
    if (found.length === 0) throw nothingStored({ name, version });
    const lines = found.flatMap((each) => {
      if (flags.json) return [plainJson(rowOf(each), 0)];
      return version === undefined ? [lineOf(each)] : [lineOf(each), plainJson(factsOf(each))];
    });
    process.stdout.write(`${lines.join('\n')}\n`);
  } finally {
    await store.close();
  }
}
