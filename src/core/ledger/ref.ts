/** A pointer to something that a call returned. */
export interface Ref {
  readonly type: 'artifact' | 'pointer' | 'run' | 'document' | 'section' | 'passage' | 'diagnostic';
  /** Of an artifact the SHA-256, of a document its node id. */
  readonly id: string;
}
