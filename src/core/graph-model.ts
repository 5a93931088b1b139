/** The relations of the graph, from source to target. */
export const RELATIONS = [
  /** Document to each of its headings, including the preamble. */
  'HAS_CHUNK',
  /** Section to the next section of its document. */
  'NEXT_CHUNK',
  /** Document or heading to the headings directly below it. */
  'PARENT_OF',
  /** Section to each numbered step in it. */
  'CONTAINS_STEP',
  /** Section to the target of a link, and document to the target's document. */
  'REFERENCES',
  /** The same for links under "See also" and similar headings. */
  'RELATED_TO',
  /** Section to an entity that it names. */
  'MENTIONS',
  /** Section to an entity that its heading or a definition in it is about. */
  'DEFINES',
] as const;
export type Relation = (typeof RELATIONS)[number];

/** Types of entities. A name that is used for several types gets the most frequent one. */
export const ENTITY_TYPES = [
  'Command',
  'Option',
  'ConfigurationKey',
  'EnvironmentVariable',
  'Symbol',
  'Error',
  'File',
  'Concept',
] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export const NODE_LABELS = ['Document', 'Section', 'Heading', 'Step', ...ENTITY_TYPES] as const;
export type NodeLabel = (typeof NODE_LABELS)[number];
