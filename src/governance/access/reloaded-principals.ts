import type { Asking, Holder, ProtectedResource } from '../../mcp/access-tokens.js';
import { type Principal, Principals } from '../../mcp/principals.js';

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

  get protectedResource(): ProtectedResource | null {
    return this.current.protectedResource;
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
