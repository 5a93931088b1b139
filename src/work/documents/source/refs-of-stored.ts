import { nodeId } from '../../../core/node-id.js';
import type { Ref } from '../../../core/ref.js';
import { decodePath } from '../../../core/section-id.js';

interface AboutDocument {
  readonly document: { readonly path: string; readonly origin: 'sent' | 'stored' };
}

/** A stored document; a sent one is not an item of the index. */
export const refsOfStored = ({ document: { path, origin } }: AboutDocument): Ref[] =>
  origin === 'stored' ? [{ type: 'document', id: nodeId('document', decodePath(path)) }] : [];
