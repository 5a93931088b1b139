import { z } from 'zod';
import type { Media } from '../../core/reply.js';
import { canonicalJson } from '../../text/canonical-json.js';
import { isNestedDeeper, MAX_LEVELS } from '../../text/nesting.js';

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
/** Longer JSON is not indented: indentation grows with the depth and could be most of it. */
const MAX_INDENTED = 100_000;
const TOO_DEEP = `[data nested deeper than ${MAX_LEVELS} levels: not passed on]`;

const blockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.string() }),
  z.object({
    type: z.literal('resource'),
    resource: z.union([
      z.object({ uri: z.string(), text: z.string() }),
      z.object({ uri: z.string(), blob: z.string(), mimeType: z.string().optional() }),
    ]),
  }),
]);

const label = (text: string): string => text.slice(0, MAX_LABEL).replace(/\s+/g, ' ');
const bytesOf = (base64: string): number => Buffer.byteLength(base64, 'base64');

/** Types that hosts show or play. SVG is not one of them, because it can contain scripts. */
const MEDIA_TYPES: Readonly<Record<string, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  audio: ['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/webm', 'audio/flac', 'audio/mp4', 'audio/aac'],
};
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const isBase64 = (data: string): boolean => data.length % 4 === 0 && BASE64.test(data);

/** Reads the blocks of a result, and collects the pictures and sounds that fit. */
class BlockReader {
  readonly media: Media[] = [];

  /** @param room  UTF-8 bytes for pictures and sounds */
  constructor(private room: number) {}

  /** A block as text. A picture or sound becomes a note; the note gives the reason if it is not passed on. */
  read(block: unknown): string {
    const parsed = blockSchema.safeParse(block).data;
    if (!parsed) return '[content of an unknown type: not passed on]';
    switch (parsed.type) {
      case 'text':
        return parsed.text;
      case 'image':
      case 'audio':
        return this.note(parsed.type, parsed);
      case 'resource_link':
        return `[link to ${label(parsed.name)}: ${label(parsed.uri)}]`;
      case 'resource': {
        const { resource } = parsed;
        const name = `resource ${label(resource.uri)}`;
        if ('text' in resource) return `[${name}]\n${resource.text}`;
        return this.note(name, { data: resource.blob, mimeType: resource.mimeType ?? 'unknown type' });
      }
    }
  }

  private note(name: string, { data, mimeType }: Pick<Media, 'data' | 'mimeType'>): string {
    const problem = this.take(data, mimeType.toLowerCase());
    const facts = `${name}, ${label(mimeType)}, ${bytesOf(data)} bytes`;
    return problem === null ? `[${facts}]` : `[${facts}: not passed on, because ${problem}]`;
  }

  /** @returns the reason why it is not passed on; null if it is passed on */
  private take(data: string, mimeType: string): string | null {
    const type = (['image', 'audio'] as const).find((each) => MEDIA_TYPES[each]?.includes(mimeType));
    if (!type) return 'of its type';
    if (data.length > this.room) return 'it is too large';
    if (!isBase64(data)) return 'its content is not base64';
    this.room -= data.length;
    this.media.push({ type, data, mimeType });
    return null;
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

/** Data as text; '' if there are none, or if the text of the result repeats them. */
function dataText(data: ResultText['data'], said: string): string {
  if (data === null || repeats(said, data)) return '';
  const text = JSON.stringify(data);
  return text.length > MAX_INDENTED ? text : JSON.stringify(data, null, 1);
}

/** A result as text, its structured form if it has one, and its pictures and sounds. Only these are not in the text. */
export interface ResultText {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  /** In the order of the result. */
  readonly media: readonly Media[];
}

/**
 * Reads a result. Everything else in it, such as `_meta` and annotations, is dropped.
 * @param room  UTF-8 bytes for pictures and sounds
 */
export function resultText({ content, structuredContent }: ProviderResult, room: number): ResultText {
  const reader = new BlockReader(room);
  const blocks = content.slice(0, MAX_BLOCKS).map((block) => reader.read(block));
  const omitted = content.length - blocks.length;
  const said = [...blocks, ...(omitted > 0 ? [`[${omitted} further parts: not passed on]`] : [])].join(
    '\n\n',
  );
  const isDeep = isNestedDeeper(structuredContent, MAX_LEVELS);
  const data = isDeep ? null : (dataSchema.safeParse(structuredContent).data ?? null);
  const text = [said, isDeep ? TOO_DEEP : dataText(data, said)].filter((part) => part !== '').join('\n\n');
  const cut = text.length - MAX_TEXT;
  const kept = cut > 0 ? `${text.slice(0, MAX_TEXT)}\n[${cut} further characters: dropped]` : text;
  return { text: kept, data, media: reader.media };
}
