/** The limits that can reduce a result. */
export const LIMIT_REASONS = ['page_size', 'token_cap', 'byte_cap', 'none'] as const;
export type LimitReason = (typeof LIMIT_REASONS)[number];

/** The size of a ranked result to build. */
export interface Fit {
  /** Number of items to keep, best first. */
  readonly count: number;
  /** Indexes of items that don't fit into any reply; they are left out and counted. */
  readonly skipped?: ReadonlySet<number>;
  /** Longest text of an item, in characters. */
  readonly maxChars: number;
  /** The limit that reduced the result; null for a complete result. */
  readonly reason: LimitReason | null;
}

/** A picture or a sound of an external server, sent after the text of a result. */
export interface Media {
  readonly type: 'image' | 'audio';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** The text of a resource, sent after the text of a result. */
interface EmbeddedText {
  readonly type: 'resource';
  readonly resource: { readonly uri: string; readonly mimeType: string; readonly text: string };
}

/** Content after the text of a result. */
export type Attachment = Media | EmbeddedText;

/** A result of ranked items that can be rebuilt smaller if it exceeds its budget. */
export interface Reply<T> {
  /** The complete result. */
  readonly output: T;
  readonly count: number;
  /** Length of the longest text, in characters; 0 if the items have no text to clip. */
  readonly maxChars: number;
  /** True for a page of a list. If no item fits, the page is returned empty, so that paging can continue. */
  readonly isPage?: boolean;
  /** True when the items need the first one to make sense. Then no item is skipped. */
  readonly needsFirst?: boolean;
  readonly build: (fit: Fit) => T;
  /** The limit that truncated the texts, for outputs without a field for it; `none` if they are complete. */
  cutBy?(output: T): LimitReason;
  /** The attachments that a fit keeps. */
  media?(fit: Fit): readonly Attachment[];
  /** Called with the returned output, so that the same items are not returned twice. */
  shown?(output: T): void;
}

/** The properties of a reply that don't depend on its items. */
type Size = Pick<Reply<unknown>, 'count' | 'maxChars' | 'isPage' | 'needsFirst'>;

export function listReply<T>(size: Size, build: (fit: Fit) => T, shown?: (output: T) => void): Reply<T> {
  const { count, maxChars } = size;
  return { ...size, build, output: build({ count, maxChars, reason: null }), ...(shown ? { shown } : {}) };
}

/** A reply that can't be made smaller. */
export function wholeReply<T>(output: T): Reply<T> {
  return listReply({ count: 1, maxChars: 0, needsFirst: true }, () => output);
}

/** The items that a fit keeps. */
export function keptOf<T>(items: readonly T[], { count, skipped }: Fit): T[] {
  return items.slice(0, count).filter((_, i) => !skipped?.has(i));
}

/** The number of items that a fit skips. */
export function skippedIn({ count, skipped }: Fit): number {
  return [...(skipped ?? [])].filter((place) => place < count).length;
}

/** The `skipped` field of an output; absent if no item was skipped. */
export function shownSkipped(fit: Fit): { readonly skipped?: number } {
  const skipped = skippedIn(fit);
  return skipped > 0 ? { skipped } : {};
}

/** Facts about the items that a reply does not list. */
interface ListRest {
  readonly partial: boolean;
  /** Left out by lists without pages. */
  readonly next_cursor?: string | null | undefined;
  readonly skipped?: number | undefined;
}

/** The last lines of a list as text: the number of missing items, and the cursor to the next ones. */
export function restLines({ partial, next_cursor: cursor, skipped }: ListRest): string[] {
  const left = skippedText(skipped);
  const rest = cursor ? [`More: cursor ${cursor}`] : partial ? ['The list is truncated.'] : [];
  return [...(left ? [left] : []), ...rest];
}

export function skippedText(skipped: number | undefined): string | undefined {
  return skipped ? `${skipped} skipped: too long for one reply.` : undefined;
}

/** A pointer to something that a call returned. */
export interface Ref {
  readonly type: 'artifact' | 'pointer' | 'run' | 'claim' | 'document' | 'section' | 'passage' | 'diagnostic';
  /** For an artifact its SHA-256, for a document its node id. */
  readonly id: string;
}
