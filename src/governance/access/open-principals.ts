import type { Config } from '../../config/config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import { NO_PRINCIPALS, type Principals } from '../../mcp/principals.js';
import { NO_GOVERNANCE } from '../agents/governance-file.js';
import { ReloadedPrincipals } from './reloaded-principals.js';

/** Refuses a server token that is also a principal's key: the sender would be ambiguous. */
function checkTokens(principals: Principals, { http, admin }: Pick<Config, 'http' | 'admin'>): void {
  const tokens = { PITH_HTTP_TOKEN: http.token, PITH_ADMIN_TOKEN: admin.token };
  const problems = Object.entries(tokens).flatMap(([setting, token]) => {
    const owner = token === '' ? null : principals.withKey(token);
    return owner === null
      ? []
      : [`${setting} is also a key of the principal ${owner.name}. Choose another token.`];
  });
  if (problems.length > 0) throw new InvalidConfigurationError(problems);
}

type Configured = Pick<Config, 'http' | 'admin' | 'governance'>;

async function readPrincipals(config: Configured, tools: readonly AnyTool[]): Promise<Principals> {
  const { http, governance } = config;
  if (http.accessFile === '') return NO_PRINCIPALS;
  // The YAML parser is loaded only for a file.
  const [{ readAccess }, { readGovernance }, { FilePrincipals }] = await Promise.all([
    import('./read-access.js'),
    import('../agents/read-governance.js'),
    import('./file-principals.js'),
  ]);
  const agents = governance.file === '' ? NO_GOVERNANCE : readGovernance(governance.file, tools);
  const principals = new FilePrincipals(readAccess(http.accessFile, agents));
  checkTokens(principals, config);
  return principals;
}

/**
 * Reads the principals of PITH_ACCESS_FILE; none without a file.
 * @param tools  the tools of this server
 * @throws InvalidConfigurationError
 */
export async function openPrincipals(
  config: Configured,
  tools: readonly AnyTool[],
): Promise<ReloadedPrincipals> {
  const read = (): Promise<Principals> => readPrincipals(config, tools);
  return new ReloadedPrincipals(await read(), read);
}
