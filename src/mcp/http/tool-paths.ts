/** The paths whose requests call tools. They wait for their turn, and the ledger records them. */
export const TOOL_PATHS = { mcp: '/mcp', artifacts: '/artifacts' } as const;

/** Pages that call tools: the search page, and the reader. They wait for their turn as well. */
export const PAGE_PATHS = [/^\/$/, '/read'];
