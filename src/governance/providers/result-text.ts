import { z } from 'zod';
import { canonicalJson } from '../../text/canonical-json.js';

/** A result of `tools/call` as the library has parsed it. */
export interface ProviderResult {
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

const MAX_BLOCKS = 1_000;
/** Longer texts are cut before they are kept in scratch. */
const MAX_TEXT = 1_000_000;
const MAX_LABEL = 300;

const blockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.string() }),
  z.object({
    type: z.literal('resource'),
    resource: z.union([
      z.object({ uri: z.string(), text: z.string() }),
      z.object({ uri: z.string(), blob: z.string() }),
    ]),
  }),
]);

const label = (text: string): string => text.slice(0, MAX_LABEL).replace(/\s+/g, ' ');
const bytesOf = (base64: string): number => Buffer.byteLength(base64, 'base64');

/** A block as text. Images, audio and binary resources are replaced by a note. */
function blockText(block: unknown): string {
  const parsed = blockSchema.safeParse(block).data;
  if (!parsed) return '[content of an unknown type: not passed on]';
  switch (parsed.type) {
    case 'text':
      return parsed.text;
    case 'image':
    case 'audio':
      return `[${parsed.type}, ${label(parsed.mimeType)}, ${bytesOf(parsed.data)} bytes: not passed on]`;
    case 'resource_link':
      return `[link to ${label(parsed.name)}: ${label(parsed.uri)}]`;
    case 'resource': {
      const { resource } = parsed;
      if ('text' in resource) return `[resource ${label(resource.uri)}]\n${resource.text}`;
      return `[resource ${label(resource.uri)}, ${bytesOf(resource.blob)} bytes: not passed on]`;
    }
  }
}

const dataSchema = z.record(z.string(), z.unknown());

/** True if the text repeats the data: as their JSON, or as their only value. */
function repeats(text: string, data: Readonly<Record<string, unknown>>): boolean {
  const values = Object.values(data);
  if (values.length === 1 && values[0] === text) return true;
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(data);
  } catch {
    return false;
  }
}

/** A result as text that is complete by itself, and its structured form if it has one. */
export interface ResultText {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** Reads a result. Everything else in it, such as `_meta` and annotations, is dropped. */
export function resultText({ content, structuredContent }: ProviderResult): ResultText {
  const blocks = content.slice(0, MAX_BLOCKS).map(blockText);
  const omitted = content.length - blocks.length;
  const said = [...blocks, ...(omitted > 0 ? [`[${omitted} further parts: not passed on]`] : [])].join(
    '\n\n',
  );
  const data = dataSchema.safeParse(structuredContent).data ?? null;
  const text =
    data === null || repeats(said, data) ? said : `${said}\n\n${JSON.stringify(data, null, 1)}`.trim();
  const cut = text.length - MAX_TEXT;
  return { text: cut > 0 ? `${text.slice(0, MAX_TEXT)}\n[${cut} further characters: dropped]` : text, data };
}
