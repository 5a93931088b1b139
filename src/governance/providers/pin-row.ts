import type { ProviderPin } from './provider-pins.port.js';

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const text = (value: unknown): string => textOrNull(value) ?? '';

/** A row as the state of a tool. */
export function pinOf(row: Readonly<Record<string, unknown>>): ProviderPin {
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
