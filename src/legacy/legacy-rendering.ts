import type { Rendering } from '../mcp/define-tool.js';

/**
 * Clients of the older tools read the text as JSON, key by key, so that is what it stays; hosts that forward the
 * structured form too get a line.
 */
export function jsonRendering<T extends object>(count: (output: T) => number, noun: string): Rendering<T> {
  return {
    full: (output) => JSON.stringify(output),
    summary: (output) => `${count(output)} ${noun}.`,
  };
}
