import { z } from 'zod';
import type { Caller } from '../../core/call.js';
import { mayCall } from './adapt-text.js';
import type { Surface } from './surface.js';

// MCP Apps, version 2026-01-26: https://github.com/modelcontextprotocol/ext-apps/tree/main/specification

const EXTENSION = 'io.modelcontextprotocol/ui';
const MIME_TYPE = 'text/html;profile=mcp-app';

/** What a client declares as its extensions if it shows views; there is one kind of them. */
export const viewsSchema = z.object({
  [EXTENSION]: z.object({
    mimeTypes: z
      .array(z.string())
      .refine((types) => types.includes(MIME_TYPE))
      .transform(() => [MIME_TYPE]),
  }),
});

/** A page that a host shows in place of a tool's result. It has no content of documents: the host hands it the result. */
export interface ResultView {
  readonly uri: string;
  /** Without foreign requests. */
  readonly html: string;
}

/** The fields of a listed tool for a host that shows its view. */
export const viewMeta = ({ uri }: ResultView) => ({ ui: { resourceUri: uri } });

/** The contents of a view; null if the caller's host shows none or it belongs to no tool that the caller may call. */
export function readView(uri: string, caller: Caller, surface: Surface): object | null {
  if (caller.host.showsViews !== true) return null;
  const tools = [...surface.tools.values()].filter((tool) => mayCall(tool, surface, caller));
  const view = tools.find(({ definition }) => definition.view?.uri === uri)?.definition.view;
  if (!view) return null;
  const _meta = { ui: { prefersBorder: true } };
  return { contents: [{ uri, mimeType: MIME_TYPE, text: view.html, _meta }] };
}
