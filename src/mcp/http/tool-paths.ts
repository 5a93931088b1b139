/** The paths whose requests call tools. They wait for their turn, and the ledger records them. */
export const TOOL_PATHS = { mcp: '/mcp', artifacts: '/artifacts' } as const;
