import { graphController } from '../graph.controller.js';
import { childrenInput, childrenOutput } from '../graph.schemas.js';
import { renderChildren } from '../render-graph.js';

export const ListChildrenTool = graphController({
  name: 'graph.children',
  title: 'What is below a heading',
  description:
    'Use when you want the outline of a document or heading (the headings and sections directly below it, in order), ' +
    'or the steps of a procedure. Do not use when you want the headings above: call graph.parents. Returns at most ' +
    'page_size nodes without text. If you need more, call it again with next_cursor. Defaults: 25 nodes a page. Max: ' +
    '100 nodes a page.',
  input: childrenInput,
  output: childrenOutput,
  rendering: renderChildren,
  answer: (answers, call, input) => answers.children(call, input),
});
