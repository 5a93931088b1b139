/** The requirements of one kind of host. */
export interface HostProfile {
  readonly name: string;
  /** Spelling of tool names; some hosts reject dots. */
  readonly names: 'dotted' | 'underscore';
  /** `summary` for hosts that send both text and structured content to their model; else the text is complete. */
  readonly render: 'full' | 'summary';
  /** True when the host supports `resource_link` blocks. */
  readonly resourceLinks: boolean;
  /** True when the host looks for the tools `search` and `fetch`, which are listed for such hosts only. Default: false. */
  readonly searchFetch?: boolean | undefined;
  /** True if the client declared that it shows views of results (MCP Apps). Default: false. */
  readonly showsViews?: boolean;
}

/** Unknown hosts get complete text, and names with underscores, since hosts that reject dots would drop every tool. */
export const GENERIC_PROFILE: HostProfile = {
  name: 'generic',
  names: 'underscore',
  render: 'full',
  resourceLinks: false,
};
