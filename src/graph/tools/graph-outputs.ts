import type { LimitReason } from '../../core/reply.js';
import type { GraphPath } from '../find-paths.js';
import type { Relation } from '../../core/graph-model.js';
import type { Walking } from '../graph-results.js';
import type { DescribedOutput, NodeField, NodeOutput } from './graph.schemas.js';

/** What every graph reply says of itself. */
export interface Told {
  readonly partial: boolean;
  readonly limit_reason: LimitReason;
  /** Items that are too long for any reply. */
  readonly skipped?: number | undefined;
  readonly not_found?: readonly string[] | undefined;
  readonly hint?: string | undefined;
}

export interface Paging {
  readonly cursor: string | null;
  readonly pageSize: number;
}

export interface ExpandInput extends Walking, Paging {
  readonly nodeIds: readonly string[];
  readonly withSnippet: boolean;
}

export interface EdgeOutput {
  readonly src: string;
  readonly dst: string;
  readonly type: Relation;
}

export interface DescribeInput {
  readonly ids: readonly string[];
  readonly withSnippet: boolean;
  /** What to tell beside the ids; null for everything. */
  readonly fields: readonly NodeField[] | null;
}

export interface PathsInput {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly relations: readonly Relation[] | null;
  readonly maxHops: number;
  /** Of one page. */
  readonly maxPaths: number;
  readonly cursor: string | null;
}

export type DescribeOutput = Told & { readonly nodes: readonly DescribedOutput[] };
export type ExpandOutput = Told & {
  readonly nodes: readonly NodeOutput[];
  readonly edges: readonly EdgeOutput[];
  readonly next_cursor: string | null;
};
export type ChildrenOutput = Told & {
  readonly children: readonly NodeOutput[];
  readonly next_cursor: string | null;
};
export type PathsOutput = Told & {
  readonly paths: readonly GraphPath[];
  readonly next_cursor: string | null;
};
export type ParentsOutput = Told & {
  readonly results: readonly {
    readonly section_id: string;
    readonly parent_id: string | null;
    readonly parent_title: string | null;
    readonly ancestors: readonly { readonly id: string; readonly title: string }[];
  }[];
};
export type EntitiesOutput = Told & {
  readonly results: readonly {
    readonly section_id: string;
    readonly entities: readonly {
      readonly id: string;
      readonly label: string;
      readonly name: string;
      readonly mentions: number;
      readonly sections: number;
    }[];
  }[];
};
export type SectionsOutput = Told & {
  readonly results: readonly {
    readonly entity_id: string;
    readonly name: string;
    readonly total: number;
    readonly sections: readonly {
      readonly section_id: string;
      readonly title: string;
      readonly mentions: number;
    }[];
  }[];
};
