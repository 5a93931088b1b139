import { graphController } from '../graph.controller.js';
import { expandInput, expandOutput } from '../graph.schemas.js';
import { renderNeighbours } from '../render-graph.js';

export const ExpandNodesTool = graphController({
  name: 'graph.expand',
  title: 'What is linked with a passage',
  description:
    'Use when you have the best 1 to 3 results of kb.search and want the sections that they link to or that name the ' +
    'same things. Do not use when you have not searched yet: call kb.search. Returns at most page_size nodes, nearest ' +
    'first, with edges. If you need more, call it again with next_cursor. Defaults: 1 hop, both directions, all ' +
    'relations, 25 nodes a page. Max: 10 ids, 3 hops, 100 nodes a page.',
  input: expandInput,
  output: expandOutput,
  rendering: renderNeighbours,
  answer: (answers, call, input) => answers.expand(call, input),
});
