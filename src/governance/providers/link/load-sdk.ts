/** Loads the client of the MCP SDK. A server without providers does not load it. */
export const loadSdk = () => import('@modelcontextprotocol/client');

/** Loads the STDIO client transport. */
export const loadStdio = () => import('@modelcontextprotocol/client/stdio');

export type Sdk = Awaited<ReturnType<typeof loadSdk>>;
export type SdkClient = InstanceType<Sdk['Client']>;
export type StdioChannel = InstanceType<Awaited<ReturnType<typeof loadStdio>>['StdioClientTransport']>;
