import { graphController } from '../graph.controller.js';
import { parentsInput, parentsOutput } from '../graph.schemas.js';
import { renderParents } from '../render-graph.js';

export const ListParentsTool = graphController({
  name: 'graph.parents',
  title: 'The headings above',
  description:
    'Use when you want the headings above a section, up to its document. Do not use when you want what is below: call ' +
    'graph.children. Returns at most one chain of headings for each id, nearest heading first. If you need more, call ' +
    'graph.children with a heading. Defaults: whole chains. Max: 25 ids.',
  input: parentsInput,
  output: parentsOutput,
  rendering: renderParents,
  answer: (answers, call, input) => answers.parents(call, input),
});
