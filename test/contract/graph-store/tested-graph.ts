import { RELATIONS } from '../../../src/core/graph-model.js';
import type { IndexedDocument } from '../../../src/core/indexed-document.js';
import type { GraphQuery } from '../../../src/core/ports/graph-store.port.js';
import type { Scope } from '../../../src/core/scope.js';
import { EVERYTHING } from '../../support/indexed-documents.js';
import type { GraphStoreSubject } from './graph-subject.js';
import { TITLES } from './linked-pages.js';

export type WalkParts = Partial<Omit<GraphQuery, 'scope'>> & { readonly scope?: Partial<Scope> };

/** One hop along every relation from a node, and back. */
export const aWalk = ({ scope, ...parts }: WalkParts): GraphQuery => ({
  seeds: [],
  relations: RELATIONS,
  direction: 'both',
  maxHops: 1,
  fanOut: 500,
  limit: 2_000,
  ...parts,
  scope: { ...EVERYTHING, ...scope },
});

/** A graph for each test of a group, or one for all of them, and functions that read it. */
export function testedGraph(make: () => Promise<GraphStoreSubject>) {
  let subject: GraphStoreSubject;
  /** Each test of the group has its own graph. */
  const eachHasItsOwn = (...documents: readonly IndexedDocument[]): void => {
    beforeEach(async () => {
      subject = await make();
      if (documents.length > 0) await subject.publish(...documents);
    });
    afterEach(() => subject.dispose());
  };
  /** The tests of the group only read. */
  const allShare = (...documents: readonly IndexedDocument[]): void => {
    beforeAll(async () => {
      subject = await make();
      await subject.publish(...documents);
    });
    afterAll(() => subject.dispose());
  };

  const describeAll = async (ids: readonly string[], scope: Partial<Scope> = {}, withSnippet = false) =>
    (await subject.graph.describe({ ...EVERYTHING, ...scope }, ids, withSnippet)).nodes;
  const describeOne = async (id: string, scope?: Partial<Scope>, withSnippet?: boolean) =>
    (await describeAll([id], scope, withSnippet))[0];
  const walk = (parts: WalkParts) => subject.graph.walk(aWalk(parts));
  /** Ids except the seeds. */
  const reached = async (parts: WalkParts): Promise<string[]> =>
    (await walk(parts)).nodes
      .filter(({ id, distance }) => distance > 0 && !TITLES.has(id))
      .map(({ id }) => id);
  const edges = async (parts: WalkParts): Promise<string[]> =>
    (await walk(parts)).edges
      .filter(({ target }) => !TITLES.has(target))
      .map(({ source, type, target, weight }) => `${source} ${type} ${target} ${weight}`);
  return { current: () => subject, eachHasItsOwn, allShare, describeAll, describeOne, walk, reached, edges };
}
