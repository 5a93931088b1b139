import { BackendUnavailableError, DeadlineExceededError } from '../../../../src/core/errors.js';
import { GraphStore } from '../../../../src/core/ports/graph-store.port.js';
import { indexChanged } from '../../../../src/graph/index-changed.js';
import { legacySearchDocumentation } from '../../../../src/legacy/tools/search-documentation.js';
import { aCall, aCandidate, FixedIndex } from '../../../support/builders.js';
import { aLegacyService, replyOf } from '../../../support/legacy-tools.js';

/** A graph that always fails in one way. */
class FailingGraph extends GraphStore {
  constructor(private readonly error: Error) {
    super();
  }

  describe = () => Promise.reject(this.error);
  walk = () => Promise.reject(this.error);
  expand = () => Promise.reject(this.error);
  bridges = () => Promise.reject(this.error);
  close = () => Promise.resolve();
}

const index = new FixedIndex([aCandidate({ section: { id: 'disk' } })]);
const input = { query: 'ship', top_k: 5 };

describe('search_documentation without its graph', () => {
  it.each<[string, Error]>([
    ['down', new BackendUnavailableError('Neo4j is down.', { reason: 'neo4j', hint: 'Start it.' })],
    ['late', new DeadlineExceededError('Neo4j is late.', { reason: 'neo4j', hint: 'Wait.' })],
    ['of another generation', indexChanged()],
  ])('returns no links and is marked degraded if the graph is %s', async (_, error) => {
    const call = aCall();
    const service = aLegacyService(new FailingGraph(error), index);
    const { output } = await replyOf(legacySearchDocumentation, service, input, call);
    expect(output.answer_json.evidence.map(({ section_id }) => section_id)).toEqual(['disk']);
    expect(call.trace.degraded).toEqual(['graph']);
  });
});
