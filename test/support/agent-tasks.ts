/** A task of an agent, the tool to call first, and the words of its description that identify it. */
export interface AgentTask {
  readonly task: string;
  readonly tool: string;
  readonly decides: string;
}

export const AGENT_TASKS: readonly AgentTask[] = [
  {
    task: 'A user asks how long a ship may stay silent before it loses its place, and wants the sentence that proves it.',
    tool: 'kb.retrieve_evidence',
    decides: 'a question should be answered from the documents',
  },
  {
    task: 'A user wants the ten most relevant places on berth allocation, a line or two of each, to choose from.',
    tool: 'kb.search',
    decides: 'see which sections exist on a topic, or to choose passages yourself',
  },
  {
    task: 'Only results for the product terminal-sdk in the language go are wanted; the documents define both as filters.',
    tool: 'search_docs',
    decides: 'filter fields listed here (such as product or language)',
  },
  {
    task: 'A hit has a chunk_id; its whole section is needed, and those before and after it in the file.',
    tool: 'get_doc',
    decides: 'surrounding context within the same file',
  },
  {
    task: 'A search gave a passage_id and a short preview; the passage is to be read from its beginning.',
    tool: 'kb.read_excerpt',
    decides: 'a preview or quote is not enough and you want to read the passage',
  },
  {
    task: 'A quote was shown; the lines right before and after it are wanted.',
    tool: 'kb.expand_excerpt',
    decides: 'the text right before and after what you last saw of a passage',
  },
  {
    task: 'Eight passage_ids are known; only the sentences in them that say who pays are wanted.',
    tool: 'kb.extract_evidence',
    decides: 'already have passage_ids and want only the sentences in them that answer a question',
  },
  {
    task: 'Every section that names the setting BERTH_TIMEOUT is needed, the defining one first.',
    tool: 'graph.sections_for_entities',
    decides: 'the sections that name a command, setting',
  },
  {
    task: 'The headings of the page reference/api.md are wanted in order, without text.',
    tool: 'graph.children',
    decides: 'the outline of a document or heading',
  },
  {
    task: 'Which collections and repositories are covered, how large they are and when they were indexed.',
    tool: 'scope.describe',
    decides:
      'what this server covers: collections (doc_tags), repositories, their sizes and the date of the index',
  },
];
