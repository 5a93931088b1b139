/** A pointer to something that a call returned. */
export interface Ref {
  readonly type: 'artifact' | 'pointer' | 'run' | 'claim' | 'document' | 'section' | 'passage' | 'diagnostic';
  /** For an artifact its SHA-256, for a document its node id. */
  readonly id: string;
}
