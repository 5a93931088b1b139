import type { Scope } from '../../core/scope.js';

/** Conditions by which nodes of one slot are seen, and the values that they ask for. */
export class VisibleNodes {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether everything in the slot is visible. */
  readonly isOpen: boolean;

  constructor({ docTags, repositories }: Scope, index: string) {
    this.values = {
      index,
      docTags: docTags ?? [],
      anyDocTag: docTags === null,
      repositories: repositories ?? [],
      anyRepository: repositories === null,
    };
    this.isOpen = docTags === null && repositories === null;
  }

  /**
   * What makes a document, place or step visible; nothing where a value is missing. One text for all scopes that hide
   * something: Neo4j plans each text that it has not seen.
   */
  of(name: string): string {
    const isOurs = `${name}.index = $given.index`;
    if (this.isOpen) return isOurs;
    return `${isOurs} AND ($given.anyDocTag OR ${name}.docTag IN $given.docTags)
      AND ($given.anyRepository OR ${name}.repository IN $given.repositories)`;
  }

  /** Whether the title that an entity is may be told: only where somebody visible has it. */
  owns(name: string): string {
    if (this.isOpen) return 'true';
    return `EXISTS { MATCH (${name})-[:OWNED_BY]->(o) WHERE ${this.of('o')} }`;
  }
}
