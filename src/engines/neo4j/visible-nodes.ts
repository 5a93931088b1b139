import { type GroupLists, listsName, readListsKey } from '../../core/document-groups.js';
import { type Scope, seenScope } from '../../core/scope.js';

/** Cypher conditions for the visible nodes of one slot, and their parameters. */
export class VisibleNodes {
  readonly values: Readonly<Record<string, unknown>>;
  /** True if everything in the slot is visible. */
  readonly isOpen: boolean;

  /** Lists of groups by the names that nodes have. */
  private readonly lists: ReadonlyMap<string, GroupLists>;

  /** @param groups  those of `IndexStamp` */
  constructor(scope: Scope, index: string, groups: readonly string[] = []) {
    const { docTags, repositories, seenLists } = seenScope(scope, groups);
    this.lists = new Map(['', ...groups].map((key) => [listsName(key), readListsKey(key)]));
    this.values = {
      index,
      docTags: docTags ?? [],
      anyDocTag: docTags === null,
      repositories: repositories ?? [],
      anyRepository: repositories === null,
      lists: (seenLists ?? []).map(listsName),
      anyList: seenLists === null,
    };
    this.isOpen = docTags === null && repositories === null && seenLists === null;
  }

  /**
   * The condition for a visible document, place or step; nodes without doc tag, repository or lists of groups are hidden. The text is
   * the same for all scopes that hide something, because Neo4j plans every new text.
   */
  of(name: string): string {
    const isOurs = `${name}.index = $given.index`;
    if (this.isOpen) return isOurs;
    return `${isOurs} AND ($given.anyDocTag OR ${name}.docTag IN $given.docTags)
      AND ($given.anyRepository OR ${name}.repository IN $given.repositories)
      AND ($given.anyList OR ${name}.allow IN $given.lists)`;
  }

  /** The lists of groups of a node; nobody sees one with an unknown name. */
  listsOf(name: unknown): GroupLists {
    return this.lists.get(String(name)) ?? [[]];
  }

  /** The condition for an entity that is a title: true if a visible document or place has this title. */
  owns(name: string): string {
    if (this.isOpen) return 'true';
    return `EXISTS { MATCH (${name})-[:OWNED_BY]->(o) WHERE ${this.of('o')} }`;
  }
}
