import { graphController } from '../graph.controller.js';
import { sectionsInput, sectionsOutput } from '../graph.schemas.js';
import { renderSections } from '../render-graph.js';

export const SectionsForEntitiesTool = graphController({
  name: 'graph.sections_for_entities',
  title: 'Where things are named',
  description:
    'Use when you want the sections that name a command, setting, symbol, error, file or concept. Do not use when you ' +
    'have a topic: call kb.search. Returns at most max_per sections for each id, defining ones first. If you need ' +
    'more, call kb.search with the name. Defaults: 20 sections. Max: 10 ids, 50 sections.',
  input: sectionsInput,
  output: sectionsOutput,
  rendering: renderSections,
  answer: (answers, call, input) => answers.sections(call, input),
});
