import type { Type } from '@nestjs/common';
import type { z } from 'zod';
import { DOCUMENT_TEXT } from '../mcp/tool-class.js';
import { type AnsweredTool, answeredTool } from '../mcp/tool-controller.js';
import {
  childrenInput,
  childrenOutput,
  describeInput,
  describeOutput,
  entitiesInput,
  entitiesOutput,
  expandInput,
  expandOutput,
  parentsInput,
  parentsOutput,
  pathsInput,
  pathsOutput,
  sectionsInput,
  sectionsOutput,
} from './graph.schemas.js';
import { GraphAnswersService } from './graph-answers.service.js';
import {
  renderChildren,
  renderEntities,
  renderNeighbours,
  renderNodes,
  renderParents,
  renderPaths,
  renderSections,
} from './render-graph.js';

type GraphTool<I extends z.ZodType, O extends z.ZodType> = Omit<
  AnsweredTool<GraphAnswersService, I, O>,
  'feature' | 'isCore' | 'permission' | 'mounts' | 'standsForIf' | 'budget'
>;

/** The controller of one graph tool. */
const graphController = <I extends z.ZodType, O extends z.ZodType>(tool: GraphTool<I, O>): Type =>
  answeredTool(GraphAnswersService, {
    ...tool,
    feature: 'graph',
    isCore: false,
    permission: 'read',
    mounts: ['graph'],
    standsForIf: { include_snippet: DOCUMENT_TEXT },
    budget: { bytes: 16_384, tokens: 7_000 },
  });

/** In the order of the tool list. */
export const GRAPH_TOOLS = [
  graphController({
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
  }),
  graphController({
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
  }),
  graphController({
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
  }),
  graphController({
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
  }),
  graphController({
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
  }),
  graphController({
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
  }),
  graphController({
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
  }),
];
