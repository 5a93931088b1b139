import { z } from 'zod';
import type { Call } from '../core/call.js';
import { decodeCursor, encodeCursor } from '../core/cursor.js';
import { keptOf, listReply, type Reply, shownSkipped } from '../core/reply.js';
import { limitShape } from '../mcp/schema.js';

export const cursorSchema = z
  .string()
  .min(1)
  .max(512)
  .nullable()
  .optional()
  .describe('next_cursor of the page before.');

/** The fields of every page. */
export const pageShape = {
  ...limitShape,
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
  /** Longest text that a smaller reply may clip (characters). Default: none is clipped. */
  readonly maxChars?: number;
}

/** The page of a complete list that begins at an offset. */
export function pageFrom<Item>(list: readonly Item[], offset: number, limit: number): ListPage<Item> {
  return { items: list.slice(offset, offset + limit), offset, hasMore: offset + limit < list.length };
}

/** The page of a list that a store was asked for. @param found  from the offset on, one more than the page shows */
export function pageFound<Item>(found: readonly Item[], offset: number, limit: number): ListPage<Item> {
  return { items: found.slice(0, limit), offset, hasMore: found.length > limit };
}

/** Cursors of one list: its caller, its project and its question. */
export class ListCursors {
  private readonly secret;
  private readonly binding;

  /**
   * @param question  everything that determines the list
   * @param signing  `generation`: changes with what is listed, and then cursors are stale. Default: they never are
   */
  constructor(
    { scope, caller }: Call,
    question: readonly unknown[],
    { secret, generation = '' }: { readonly secret: string; readonly generation?: string },
  ) {
    const { projectId, environment } = scope;
    this.secret = secret;
    this.binding = {
      question: [...question, projectId, environment],
      generation,
      principal: caller.principal,
    };
  }

  /** @throws InvalidArgumentError for a bad cursor, or one of another list */
  offsetOf(cursor: string | null | undefined): number {
    return typeof cursor === 'string' ? decodeCursor(cursor, this.binding, this.secret) : 0;
  }

  /**
   * The reply for a page. It becomes shorter until it fits.
   * @param build  is given the items to show, the fields of the page, and the longest text (characters)
   */
  reply<Item, T>(
    page: ListPage<Item>,
    build: (items: Item[], fields: PageFields, maxChars: number) => T,
  ): Reply<T> {
    const { items, offset, hasMore, maxChars = 0 } = page;
    return listReply({ count: items.length, maxChars, isPage: true }, (fit) => {
      const isMore = hasMore || fit.count < items.length;
      const fields: PageFields = {
        partial: isMore || fit.reason !== null,
        limit_reason: fit.reason ?? (isMore ? 'page_size' : 'none'),
        next_cursor: isMore ? encodeCursor(offset + fit.count, this.binding, this.secret) : null,
        ...shownSkipped(fit),
      };
      return build(keptOf(items, fit), fields, fit.maxChars);
    });
  }
}
