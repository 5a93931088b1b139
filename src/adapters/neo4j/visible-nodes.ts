import type { Scope } from '../../scope/scope.js';

/** Conditions by which nodes of one slot are seen, and the values that they ask for. */
export class VisibleNodes {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether everything in the slot is visible. */
  readonly isOpen: boolean;
  private readonly conditions: readonly string[];

  constructor({ docTags, repositories }: Scope, index: string) {
    this.values = { index, docTags, repositories };
    this.isOpen = docTags === null && repositories === null;
    this.conditions = [
      'index = $index',
      ...(docTags ? ['docTag IN $docTags'] : []),
      ...(repositories ? ['repository IN $repositories'] : []),
    ];
  }

  /** What makes a document, place or step visible. */
  of(name: string): string {
    return this.conditions.map((condition) => `${name}.${condition}`).join(' AND ');
  }

  /** Whether the title that an entity is may be told: only where somebody visible has it. */
  owns(name: string): string {
    if (this.isOpen) return 'true';
    return `EXISTS { MATCH (${name})-[:OWNED_BY]->(o) WHERE ${this.of('o')} }`;
  }
}
