import { aNode, FakeGraphStore } from './fake-graph-store.js';

/** A document of three sections that mention two things and point to another document. */
export function aGraph(): FakeGraphStore {
  return new FakeGraphStore(
    [
      aNode('guide.md#_document', 'Document', { title: 'Guide' }),
      aNode('guide.md#install', 'Section', { title: 'Install' }),
      aNode('guide.md#install/steps', 'Section', { title: 'Steps', level: 3 }),
      aNode('guide.md#use', 'Heading', { title: 'Use' }),
      aNode('guide.md#install/steps/_step-1', 'Step', { title: 'Run it.' }),
      aNode('other.md#_document', 'Document', { title: 'Other', docTag: 'other' }),
      aNode('entity:pith', 'Command', { title: 'pith' }),
      aNode('entity:port', 'ConfigurationKey', { title: 'port' }),
    ],
    [
      ['guide.md#_document', 'HAS_CHUNK', 'guide.md#install'],
      ['guide.md#_document', 'HAS_CHUNK', 'guide.md#install/steps'],
      ['guide.md#_document', 'HAS_CHUNK', 'guide.md#use'],
      ['guide.md#install', 'NEXT_CHUNK', 'guide.md#install/steps'],
      ['guide.md#_document', 'PARENT_OF', 'guide.md#install'],
      ['guide.md#_document', 'PARENT_OF', 'guide.md#use'],
      ['guide.md#install', 'PARENT_OF', 'guide.md#install/steps'],
      ['guide.md#install/steps', 'CONTAINS_STEP', 'guide.md#install/steps/_step-1'],
      ['guide.md#_document', 'REFERENCES', 'other.md#_document'],
      ['guide.md#install', 'MENTIONS', 'entity:pith'],
      ['guide.md#install/steps', 'MENTIONS', 'entity:pith'],
      ['guide.md#install/steps', 'MENTIONS', 'entity:port'],
    ],
  );
}

/** Everything but the document that has another tag. */
export const WITHOUT_OTHER = { docTags: ['docs'] };
