import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { codeIn } from '../../core/errors.js';
import { type HostTable, hostTableSchema } from './host-profiles.js';

function readTable(file: string, name: string): HostTable {
  try {
    return hostTableSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new InvalidConfigurationError([
      codeIn(error) === 'ENOENT'
        ? `${name}: there is no file ${file}. Correct the path, or create the file.`
        : `${name} (${file}) is not a valid file of host profiles: ${why}`,
    ]);
  }
}

/** Loads Pith's host profiles; the operator's file replaces individual profiles. */
export function loadHosts(packageRoot: string, overrides: string): HostTable {
  const own = readTable(join(packageRoot, 'config', 'hosts.json'), 'config/hosts.json');
  return overrides === '' ? own : { ...own, ...readTable(overrides, 'PITH_HOSTS_FILE') };
}
