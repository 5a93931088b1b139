import type { Scope } from '../../scope/scope.js';

/** Conditions by which nodes of one slot are seen, and the values that they ask for. */
export class VisibleNodes {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether everything in the slot is visible. */
  readonly isOpen: boolean;

  constructor({ docTags, repositories }: Scope, index: string) {
    this.values = { index, docTags, repositories };
    this.isOpen = docTags === null && repositories === null;
  }

  /** What makes a document, place or step visible. The same for every scope: Neo4j plans each statement anew. */
  of(name: string): string {
    const isOurs = `${name}.index = $given.index`;
    if (this.isOpen) return isOurs;
    return `${isOurs} AND ($given.docTags IS NULL OR ${name}.docTag IN $given.docTags)
      AND ($given.repositories IS NULL OR ${name}.repository IN $given.repositories)`;
  }

  /** Whether the title that an entity is may be told: only where somebody visible has it. */
  owns(name: string): string {
    if (this.isOpen) return 'true';
    return `EXISTS { MATCH (${name})-[:OWNED_BY]->(o) WHERE ${this.of('o')} }`;
  }
}
