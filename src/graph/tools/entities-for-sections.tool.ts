import { graphController } from '../graph.controller.js';
import { entitiesInput, entitiesOutput } from '../graph.schemas.js';
import { renderEntities } from '../render-graph.js';

export const EntitiesForSectionsTool = graphController({
  name: 'graph.entities_for_sections',
  title: 'What sections name',
  description:
    'Use when you want the commands, settings, symbols, errors, files and concepts that given sections name. Do not ' +
    'use when you want their text: call kb.read_excerpt. Returns at most max_per_section entities for each, most ' +
    'characteristic first. If you need more, call graph.sections_for_entities to see where else they are ' +
    'named. Defaults: 20 entities. Max: 10 ids, 50 entities.',
  input: entitiesInput,
  output: entitiesOutput,
  rendering: renderEntities,
  answer: (answers, call, input) => answers.entities(call, input),
});
