/**
 * Bytes that are added to a rendered result: our usage and, for 2026-era clients, the SDK's result type and server
 * facts.
 */
export const WIRE_BYTES = 256;
