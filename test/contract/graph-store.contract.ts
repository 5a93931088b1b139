import { describingContract } from './graph-store/describing.contract.js';
import type { GraphStoreSubject } from './graph-store/graph-subject.js';
import { publishingContract } from './graph-store/publishing.contract.js';
import { relationsContract } from './graph-store/relations.contract.js';
import { scopeContract } from './graph-store/scope.contract.js';
import { walkingContract } from './graph-store/walking.contract.js';

/** The behaviour of every `GraphStore`, on any engine. */
export function graphStoreContract(name: string, make: () => Promise<GraphStoreSubject>): void {
  describe(`${name} is a GraphStore`, () => {
    describingContract(make);
    relationsContract(make);
    walkingContract(make);
    scopeContract(make);
    publishingContract(make);
  });
}
