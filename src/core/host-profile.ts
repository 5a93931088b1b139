/** What one kind of host needs. */
export interface HostProfile {
  readonly name: string;
  /** The spelling of tool names: some hosts refuse dots. */
  readonly names: 'dotted' | 'underscore';
  /** `summary` for hosts that forward both forms to their model, else the text stands alone. */
  readonly render: 'full' | 'summary';
  /** Whether it knows `resource_link` blocks and does something with them. */
  readonly resourceLinks: boolean;
}

/** Unknown hosts get underscored names, since hosts that refuse dots drop every tool, and text that stands alone. */
export const GENERIC_PROFILE: HostProfile = {
  name: 'generic',
  names: 'underscore',
  render: 'full',
  resourceLinks: false,
};
