import type { PointerName } from '../../../core/ports/index-source.js';
import type { WorkSpace } from '../../work-space.js';

export const POINTER_TYPES = ['bundle', 'corpus', 'snapshot'] as const;
export type PointerType = (typeof POINTER_TYPES)[number];

/** A name for a manifest, which moves to later manifests. */
export interface Pointer extends PointerName {
  readonly type: PointerType;
  readonly description: string;
  readonly manifestSha256: string;
  /** 1 when it is created; each move adds 1. */
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly movedAt: number;
}

/** Who changes a pointer, and why. */
interface PointerChange {
  /** A principal. */
  readonly by: string;
  readonly reason: string;
}

/** One step in the history of a pointer. */
export interface PointerMove extends PointerChange {
  /** The version that it made. */
  readonly version: number;
  /** Null for the creation. */
  readonly oldSha256: string | null;
  readonly newSha256: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface NewPointer extends PointerName, PointerChange {
  readonly type: PointerType;
  readonly description: string;
  readonly manifestSha256: string;
}

export interface PointerAdvance extends PointerName, PointerChange {
  /** The manifest that the caller believes to be current. */
  readonly expectedSha256: string;
  readonly newSha256: string;
}

/** Selects pointers. */
export interface PointerQuery {
  /** Null for all. */
  readonly namespace: string | null;
  readonly type: PointerType | null;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Stores pointers with their history. Several processes may share one store; each method is atomic among them. All
 * methods throw BackendUnavailableError if the store can't be used.
 */
export abstract class PointerStore {
  /** @throws InvalidArgumentError `pointer_exists` with the current manifest; BudgetExceededError `substrate_full` */
  abstract create(space: WorkSpace, pointer: NewPointer): Promise<Pointer>;
  /**
   * Moves a pointer if its manifest is the expected one.
   * @throws InvalidArgumentError `pointer_not_found`, `conflict` with the current manifest; BudgetExceededError
   *   `substrate_full`
   */
  abstract advance(space: WorkSpace, advance: PointerAdvance): Promise<Pointer>;
  /** @returns null for an unknown one */
  abstract find(space: WorkSpace, name: PointerName): Promise<Pointer | null>;
  /** By namespace and name. */
  abstract list(space: WorkSpace, query: PointerQuery): Promise<Pointer[]>;
  /** Latest first. @param beforeVersion  only moves before this version; null for all */
  abstract moves(
    space: WorkSpace,
    name: PointerName,
    part: { readonly beforeVersion: number | null; readonly limit: number },
  ): Promise<PointerMove[]>;
  abstract close(): Promise<void>;
}
