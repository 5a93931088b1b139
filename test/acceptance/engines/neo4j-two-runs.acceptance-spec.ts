import { randomUUID } from 'node:crypto';
import { Neo4jGraphStore } from '../../../src/engines/neo4j/neo4j-graph-store.js';
import { Neo4jMirror } from '../../../src/engines/neo4j/neo4j-mirror.js';
import { publish } from '../../contract/sqlite-subjects.js';
import { describeEngines } from '../../support/engine.js';
import { aPage } from '../../support/graphs.js';
import { EVERYTHING, SETTINGS } from '../../support/indexed-documents.js';
import { neo4jOptions, withGraphOf } from '../../support/mirrored-graph.js';
import { testFolder } from '../../support/test-folder.js';

/** A run that another run overtakes after it has read the live slot, and that is killed after it has cleared its own. */
class OvertakenMirror extends Neo4jMirror {
  constructor(private readonly overtake: () => Promise<void>) {
    super(neo4jOptions());
  }

  override async begin(): Promise<void> {
    await this.overtake();
    await super.begin();
  }
}

describeEngines(['neo4j'], 'two runs that fill one graph in Neo4j', () => {
  it('leave readers the graph of the first run, however the second one ends', async () => {
    const folder = testFolder();
    const projectId = randomUUID();
    const [one, two] = [folder.file('one.sqlite'), folder.file('two.sqlite')];
    await publish(one, [aPage('one.md')]);
    await publish(two, [aPage('two.md')]);
    const first = new Neo4jMirror(neo4jOptions());
    const overtaken = new OvertakenMirror(() =>
      withGraphOf(one, projectId, (built) => first.fill(built, () => undefined).then((show) => show())),
    );
    const store = new Neo4jGraphStore(neo4jOptions(), { projectId, environment: SETTINGS.environment });
    try {
      const killed = withGraphOf(two, projectId, (built) => {
        const documents = () => {
          throw new Error('killed');
        };
        return overtaken
          .fill({ ...built, graph: { ...built.graph, documents } }, () => undefined)
          .then((show) => show());
      });
      await expect(killed).rejects.toThrow('killed');
      const { nodes } = await store.describe({ ...EVERYTHING, projectId }, ['one.md', 'two.md'], false);
      expect(nodes.map((node) => node?.id)).toEqual(['one.md', undefined]);
    } finally {
      await Promise.all([first.close(), overtaken.close(), store.close()]);
      folder.remove();
    }
  });
});
