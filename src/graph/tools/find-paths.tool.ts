import { graphController } from '../graph.controller.js';
import { pathsInput, pathsOutput } from '../graph.schemas.js';
import { renderPaths } from '../render-graph.js';

export const FindPathsTool = graphController({
  name: 'graph.paths',
  title: 'How two things are connected',
  description:
    'Use when you want to know how two sections, documents or entities are connected. Do not use when you have only ' +
    'one: call graph.expand. Returns at most max_paths paths, shortest first. If you need more, call it again with ' +
    'next_cursor. Defaults: 2 hops, 10 paths, all relations. Max: 5 ids on each side, 5 hops, 50 paths.',
  input: pathsInput,
  output: pathsOutput,
  rendering: renderPaths,
  answer: (answers, call, input) => answers.paths(call, input),
});
