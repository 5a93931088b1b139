import type { Config } from '../../config/config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { resolveReferences } from '../../config/secret-reference.js';
import { tell } from '../../core/stderr.js';
import type { Asking, Holder, ProtectedResource } from '../../mcp/access-tokens.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import { NO_PRINCIPALS, type Principal, Principals } from '../../mcp/principals.js';
import type { HttpAccess } from '../../mcp/serving.js';
import { NO_GOVERNANCE } from '../agents/governance-file.js';
import { AuditTrail, prepareAudit } from '../audit/audit-trail.js';
import { auditCalls, auditRequests } from '../audit/audited.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import type { Access } from './access-file.js';

/** The principals of a file that can be read again while the server runs. */
export class ReloadedPrincipals extends Principals {
  /** @param read  reads the file */
  constructor(
    private current: Principals,
    private readonly read: () => Principals,
  ) {
    super();
  }

  get areRequired(): boolean {
    return this.current.areRequired;
  }

  get all(): readonly Principal[] {
    return this.current.all;
  }

  get haveKeys(): boolean {
    return this.current.haveKeys;
  }

  get protectedResource(): ProtectedResource | null {
    return this.current.protectedResource;
  }

  get haveGroups(): boolean {
    return this.current.haveGroups;
  }

  withToken(token: string, asking: Asking): Promise<Holder> {
    return this.current.withToken(token, asking);
  }

  withKey(key: string): Principal | null {
    return this.current.withKey(key);
  }

  /** Later requests are checked against the new file; running calls go on. @throws InvalidConfigurationError and keeps the old ones */
  reload(): void {
    this.current = this.read();
  }
}

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

/** Refuses references to secrets that can't be read. @throws InvalidConfigurationError */
export function checkSecrets({ oauth }: Access): void {
  for (const { issuer, introspection } of oauth?.issuers ?? []) {
    if (!introspection) continue;
    const { client_secret } = introspection;
    resolveReferences({ client_secret }, `PITH_ACCESS_FILE: introspection of ${issuer}`);
  }
}

type Configured = Pick<Config, 'http' | 'admin' | 'governance' | 'scope'>;

type OpenedAccess = Pick<HttpAccess, 'projects'> & { readonly principals: ReloadedPrincipals };

/**
 * Reads PITH_ACCESS_FILE; without it, there are neither principals nor projects. Agents are those of the governance file as it is now,
 * also when the access file is read again.
 * @param tools  the tools of this server
 * @throws InvalidConfigurationError
 */
export async function openAccess(config: Configured, tools: readonly AnyTool[]): Promise<OpenedAccess> {
  const { http, governance } = config;
  if (http.accessFile === '')
    return { principals: new ReloadedPrincipals(NO_PRINCIPALS, () => NO_PRINCIPALS), projects: {} };
  // The YAML parser is loaded only for a file.
  const [{ readAccess }, { readGovernance }, { FilePrincipals }] = await Promise.all([
    import('./read-access.js'),
    import('../agents/read-governance.js'),
    import('./file-principals.js'),
  ]);
  const agents = governance.file === '' ? NO_GOVERNANCE : readGovernance(governance.file, tools);
  const known = { governance: agents, tools };
  const principalsOf = (access: Access): Principals => {
    checkSecrets(access);
    const principals = new FilePrincipals(access, config.scope.groups);
    checkTokens(principals, config);
    return principals;
  };
  const read = (): Access => readAccess(http.accessFile, known);
  const access = read();
  const principals = new ReloadedPrincipals(principalsOf(access), () => principalsOf(read()));
  return { principals, projects: access.projects };
}

const warn = (error: unknown): void =>
  tell(`pith: warning: PITH_AUDIT_FILE can't be written: ${String(error)}`);

/** The access file and the audit file of a server. @throws InvalidConfigurationError */
export async function openHttpAccess(config: Config, tools: readonly AnyTool[]): Promise<HttpAccess> {
  const { principals, projects } = await openAccess(config, tools);
  prepareAudit(config.http.auditFile);
  const trail = new AuditTrail(config.http.auditFile, { now: Date.now, onFailure: warn });
  return {
    principals,
    projects,
    watch: auditRequests(trail),
    observer: { provide: 'AUDIT_OBSERVER', useFactory: () => auditCalls(trail) },
    reload: () => principals.reload(),
    noteReload: async (app, files) => {
      if (files === null) return trail.note({ event: 'configuration_read', result: 'not valid' });
      await app.get(LedgerModule).noteConfiguration('access.yaml');
      trail.note({ event: 'configuration_read', files, result: 'used' });
    },
  };
}
