import { toolBehind } from '../resource-requests.js';
import { canonicalName, type Surface } from './surface.js';

/** A parameter as every part of the server reads it. */
export const paramText = (params: Readonly<Record<string, unknown>> | undefined, name: string): string =>
  String(params?.[name]);

/** The tool that a request calls, or that decides about the resource or prompt that it reads; null for other methods. */
export function usedTool(
  surface: Surface,
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
): string | null {
  if (method === 'tools/call') return canonicalName(surface, paramText(params, 'name'));
  return method === 'resources/read' || method === 'prompts/get'
    ? toolBehind(method, paramText(params, 'uri'))
    : null;
}
