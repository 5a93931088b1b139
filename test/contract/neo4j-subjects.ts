import { randomUUID } from 'node:crypto';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import { type GraphPage, type GraphQuery, GraphStore } from '../../src/core/ports/graph-store.port.js';
import type { PublishReport } from '../../src/core/ports/index-writer.port.js';
import type { Scope } from '../../src/core/scope.js';
import { graphKey } from '../../src/engines/neo4j/graph-slot.js';
import { Neo4jGraphStore } from '../../src/engines/neo4j/neo4j-graph-store.js';
import { testFolder } from '../support/build-index.js';
import { SETTINGS } from '../support/indexed-documents.js';
import { changeNeo4j, mirrorGraph, neo4jOptions } from '../support/mirrored-graph.js';
import type { GraphStoreSubject } from './graph-store/graph-subject.js';
import { publish, stageOnly } from './sqlite-subjects.js';

/** All tests use the same project name, but one server serves all of them; so each graph gets its own project there. */
class OwnProject extends GraphStore {
  private readonly store: GraphStore;

  constructor(private readonly projectId: string) {
    super();
    this.store = new Neo4jGraphStore(neo4jOptions(), { projectId, environment: SETTINGS.environment });
  }

  private own(scope: Scope): Scope {
    return scope.projectId === SETTINGS.projectId ? { ...scope, projectId: this.projectId } : scope;
  }

  describe(scope: Scope, ids: readonly string[], withSnippet: boolean) {
    return this.store.describe(this.own(scope), ids, withSnippet);
  }

  walk(query: GraphQuery) {
    return this.store.walk({ ...query, scope: this.own(query.scope) });
  }

  expand(query: GraphQuery, page: GraphPage) {
    return this.store.expand({ ...query, scope: this.own(query.scope) }, page);
  }

  bridges(scope: Scope, sectionIds: readonly string[]) {
    return this.store.bridges(this.own(scope), sectionIds);
  }

  close() {
    return this.store.close();
  }
}

/** A graph in Neo4j, indexed in a file next to it. */
export class OwnGraph {
  private readonly projectId = randomUUID();
  readonly graph = new OwnProject(this.projectId);

  constructor(private readonly file: string) {}

  async publish(documents: readonly IndexedDocument[]): Promise<PublishReport> {
    const report = await publish(this.file, documents);
    await mirrorGraph(this.file, this.projectId);
    return report;
  }

  change(cypher: string): Promise<void> {
    const key = graphKey({ projectId: this.projectId, environment: SETTINGS.environment });
    return changeNeo4j(cypher, { key, identity: '{"graph":0}' });
  }

  async dispose(): Promise<void> {
    await this.graph.close();
    await this.change(
      'MATCH (n:Pith) WHERE n.index IN [$given.key + "a", $given.key + "b"] AND n.no >= 0 DETACH DELETE n',
    );
    await this.change('MATCH (i:PithIndex {key: $given.key}) DELETE i');
  }
}

/** The graph in Neo4j, filled from an index file, with a reader. */
export async function aNeo4jGraph(): Promise<GraphStoreSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const own = new OwnGraph(file);
  const all = [own];
  return {
    graph: own.graph,
    publish: (...documents) => own.publish(documents),
    stageOnly: (...documents) => stageOnly(file, documents),
    buildElsewhere: async (...documents) => {
      const other = new OwnGraph(folder.file(`other-${all.length}.sqlite`));
      all.push(other);
      return { report: await other.publish(documents), graph: other.graph };
    },
    ageIdentity: () => own.change('MATCH (i:PithIndex {key: $given.key}) SET i.identity = $given.identity'),
    remove: () => own.change('MATCH (i:PithIndex {key: $given.key}) DELETE i'),
    dispose: async () => {
      for (const each of all) await each.dispose();
      folder.remove();
    },
  };
}
