import { text, textOrNull } from '../../sqlite/driver.js';
import {
  isOneOf,
  listValues,
  type Sql,
  type SqlDatabase,
  type SqlRow,
} from '../../sqlite/stores/sql-database.port.js';

/** Longest definition that is stored, in UTF-8 bytes of its canonical JSON. */
export const MAX_DEFINITION_BYTES = 65_536;
/** Max tools that are stored of one provider. */
export const MAX_PROVIDER_TOOLS = 512;

/** Longest name that is stored, in characters; longer ones can't be accepted. */
export const MAX_TOOL_NAME = 128;

/** The definition of a tool: its name, title, description and schemas. */
interface ToolSnapshot {
  /** Canonical JSON. */
  readonly definition: string;
  /** SHA-256 of it, hex. */
  readonly hash: string;
}

/** A tool as its provider lists it. */
export interface ListedSnapshot extends ToolSnapshot {
  /** As the provider names it; at most `MAX_TOOL_NAME` characters. */
  readonly tool: string;
  /** Why the tool can't be accepted; null if it can. */
  readonly problem: string | null;
}

/** A tool of a provider: what the provider lists now, and what an operator has accepted. */
export interface ProviderPin {
  readonly provider: string;
  readonly tool: string;
  /** Null if the provider no longer lists the tool. */
  readonly listed: (ToolSnapshot & { readonly problem: string | null }) | null;
  /** Null before the first acceptance. `at` is in milliseconds since the epoch. */
  readonly accepted: (ToolSnapshot & { readonly at: number; readonly by: string }) | null;
}

/** An operator accepts definitions as they were shown. */
export interface PinAcceptance {
  readonly provider: string;
  /** The tools, with the hashes that were shown. */
  readonly tools: readonly { readonly tool: string; readonly hash: string }[];
  /** Name of the operator. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A row as the state of a tool. */
function pinOf(row: SqlRow): ProviderPin {
  const [listedHash, hash] = [textOrNull(row['listed_hash']), textOrNull(row['hash'])];
  return {
    provider: text(row['provider']),
    tool: text(row['tool']),
    listed:
      listedHash === null
        ? null
        : { definition: text(row['listed']), hash: listedHash, problem: textOrNull(row['problem']) },
    accepted:
      hash === null
        ? null
        : {
            definition: text(row['definition']),
            hash,
            at: Number(row['accepted_at']),
            by: text(row['accepted_by']),
          },
  };
}

const FORGET_LISTED = `UPDATE provider_tool SET listed_hash = NULL, listed = NULL, problem = NULL
  WHERE provider = :provider`;
const FORGET_TOOLS = `DELETE FROM provider_tool
  WHERE provider = :provider AND listed_hash IS NULL AND hash IS NULL`;

/** PostgreSQL can't store NUL in names, which come from providers. The hashes cover the real ones. */
const storedName = (name: string): string => name.replaceAll('\0', '\ufffd');

async function readRevision(sql: Sql): Promise<number> {
  const [row] = await sql('SELECT max(revision) AS n FROM provider_tool');
  return Number(row?.['n'] ?? 0);
}

/**
 * Stores which definitions of external tools were accepted. Several processes may share one database; each method is
 * atomic among them. All methods throw BackendUnavailableError if the database can't be used.
 */
export class ProviderPins {
  constructor(private readonly database: SqlDatabase) {}

  /**
   * Replaces what a provider lists. Tools that it no longer lists and that were never accepted are forgotten.
   * @param listed  at most `MAX_PROVIDER_TOOLS`, with different names
   */
  note(provider: string, listed: readonly ListedSnapshot[]): Promise<void> {
    const tools = [...new Map(listed.map((tool) => [storedName(tool.tool), tool]))];
    const { text: rows, values } = listValues(
      tools.map(([tool, { hash, definition, problem }]) => ({ provider, tool, hash, definition, problem })),
    );
    return this.database.write(async (sql) => {
      await sql(FORGET_LISTED, { provider });
      if (tools.length > 0)
        await sql(
          `INSERT INTO provider_tool (provider, tool, listed_hash, listed, problem) VALUES ${rows}
           ON CONFLICT (provider, tool) DO UPDATE
             SET listed_hash = excluded.listed_hash, listed = excluded.listed, problem = excluded.problem`,
          values,
        );
      await sql(FORGET_TOOLS, { provider });
    });
  }

  /** The tools of one provider, or of all, in the order of provider and tool. */
  async pins(provider?: string): Promise<ProviderPin[]> {
    const where = provider === undefined ? '' : 'WHERE provider = :provider';
    const statement = `SELECT * FROM provider_tool ${where} ORDER BY provider, tool`;
    const rows = await this.database.read((sql) =>
      sql(statement, provider === undefined ? {} : { provider }),
    );
    return rows.map(pinOf);
  }

  /**
   * Accepts all named definitions, or none.
   * @returns false if a tool is not listed as it was shown, or can't be accepted
   */
  accept({ provider, tools, by, at }: PinAcceptance): Promise<boolean> {
    const accepted = new Map(tools.map(({ tool, hash }) => [storedName(tool), hash]));
    const { condition, values } = isOneOf('tool', [...accepted.keys()]);
    const named = `provider = :provider AND ${condition}`;
    return this.database.write(async (sql) => {
      const statement = `SELECT tool, listed_hash FROM provider_tool WHERE ${named} AND problem IS NULL`;
      const listed = await sql(statement, { provider, ...values });
      const isListed = listed.filter((row) => accepted.get(text(row['tool'])) === row['listed_hash']);
      if (isListed.length < accepted.size) return false;
      const revision = (await readRevision(sql)) + 1;
      await sql(
        `UPDATE provider_tool SET hash = listed_hash, definition = listed, accepted_at = :at, accepted_by = :by,
           revision = :revision
         WHERE ${named}`,
        { provider, ...values, at, by, revision },
      );
      return true;
    });
  }

  /** Grows with each acceptance of any process; 0 before the first. */
  revision(): Promise<number> {
    return this.database.read(readRevision);
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
