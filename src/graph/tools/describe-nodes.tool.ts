import { graphController } from '../graph.controller.js';
import { describeInput, describeOutput } from '../graph.schemas.js';
import { renderNodes } from '../render-graph.js';

export const DescribeNodesTool = graphController({
  name: 'graph.describe',
  title: 'What ids stand for',
  description:
    'Use when you have ids of sections, documents or entities and want their titles and kinds. Do not use when you ' +
    'want text: call kb.read_excerpt. Returns at most 50 nodes. If you need more, call graph.expand to see ' +
    'what they are linked with. Defaults: all fields, no snippets. Max: 50 ids.',
  input: describeInput,
  output: describeOutput,
  rendering: renderNodes,
  answer: (answers, call, input) => answers.describe(call, input),
});
