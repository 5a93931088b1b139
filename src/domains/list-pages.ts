import { z } from 'zod';
import type { Call } from '../core/call.js';
import { decodeCursor, encodeCursor } from '../core/cursor.js';
import { keptOf, LIMIT_REASONS, listReply, type Reply, skippedText, toldSkipped } from '../core/reply.js';

export const cursorSchema = z
  .string()
  .min(1)
  .max(512)
  .nullable()
  .optional()
  .describe('next_cursor of the page before.');

/** The fields of every page. */
export const pageShape = {
  partial: z.boolean(),
  limit_reason: z.enum(LIMIT_REASONS),
  next_cursor: z.string().nullable(),
  /** Items that are too long for any reply. */
  skipped: z.int().optional(),
};
type PageFields = z.output<z.ZodObject<typeof pageShape>>;

/** One page of a list, and its place in it. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Of the first item, in the whole list. */
  readonly offset: number;
  readonly hasMore: boolean;
}

/** Cursors of one list: its caller, its project and its question. */
export class ListCursors {
  private readonly binding;

  /** @param question  everything that determines the list */
  constructor(
    { scope, caller }: Call,
    question: readonly unknown[],
    private readonly secret: string,
  ) {
    const { projectId, environment } = scope;
    this.binding = {
      question: [...question, projectId, environment],
      generation: '',
      principal: caller.principal,
    };
  }

  /** @throws InvalidArgumentError for a bad cursor, or one of another list */
  offsetOf(cursor: string | null | undefined): number {
    return typeof cursor === 'string' ? decodeCursor(cursor, this.binding, this.secret) : 0;
  }

  /** The reply for a page. It becomes shorter until it fits. */
  reply<Item, T>(page: ListPage<Item>, build: (items: Item[], fields: PageFields) => T): Reply<T> {
    const { items, offset, hasMore } = page;
    return listReply({ count: items.length, maxChars: 0, isPage: true }, (fit) => {
      const isMore = hasMore || fit.count < items.length;
      return build(keptOf(items, fit), {
        partial: isMore || fit.reason !== null,
        limit_reason: fit.reason ?? (isMore ? 'page_size' : 'none'),
        next_cursor: isMore ? encodeCursor(offset + fit.count, this.binding, this.secret) : null,
        ...toldSkipped(fit),
      });
    });
  }
}

/** The last lines of a list as text. */
export function moreText({
  next_cursor: cursor,
  skipped,
}: Pick<PageFields, 'next_cursor' | 'skipped'>): string[] {
  const left = skippedText(skipped);
  return [...(left ? [left] : []), ...(cursor === null ? [] : [`More: cursor ${cursor}`])];
}
