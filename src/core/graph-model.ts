/** How things are linked; the indexing of documents makes each of them, structure by the places it writes. */
export const RELATIONS = [
  /** Document to each of its headings, the preamble among them. */
  'HAS_CHUNK',
  /** A section to the next one of its document. */
  'NEXT_CHUNK',
  /** A document or heading to the headings right below it. */
  'PARENT_OF',
  /** A section to each numbered step in it. */
  'CONTAINS_STEP',
  /** A section to what it links to, and its document to that one's document. */
  'REFERENCES',
  /** The same where the link stands under "See also" and the like. */
  'RELATED_TO',
  /** A section to a thing that it names. */
  'MENTIONS',
  /** A section to the thing that its heading or a definition in it is about. */
  'DEFINES',
] as const;
export type Relation = (typeof RELATIONS)[number];

/** Kinds of things that documents name; where one name is used for several, the kind that is met most often counts. */
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
