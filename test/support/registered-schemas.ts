import { SchemaChecker, type SchemaProblem } from '../../src/work/schemas/checking/schema-checker.js';
import { RegisteredSchemasService } from '../../src/work/schemas/registered-schemas.service.js';
import { type SchemaRef, SchemaStore, type SchemaVersion } from '../../src/work/schemas/schema-store.js';
import { openWorkFile } from '../../src/work/work-databases.js';
import type { WorkSpace } from '../../src/work/work-space.js';

/** Holds at most one schema, and takes no others. */
class FixedSchemas extends SchemaStore {
  constructor(private readonly known: SchemaRef | null) {
    super(openWorkFile('', false));
  }

  override async find(_: WorkSpace, name: string, version: number | null): Promise<SchemaVersion | null> {
    const { known } = this;
    if (known?.name !== name || (version ?? known.version) !== known.version) return null;
    return { ...known, hash: '', text: '{}', description: '', principal: 'ann', registeredAt: 0 };
  }

  override async add(): Promise<boolean> {
    return false;
  }

  override async list(): Promise<SchemaVersion[]> {
    return [];
  }
}

/** Finds the same problems with every value. */
export class FixedProblems extends SchemaChecker {
  constructor(private readonly problems: readonly SchemaProblem[]) {
    super();
  }

  override async problemsOf(): Promise<SchemaProblem[]> {
    return [...this.problems];
  }
}

/** Knows one schema, and finds these problems with every value. */
export const registeredSchemas = (
  known: SchemaRef | null,
  problems: readonly SchemaProblem[] = [],
): RegisteredSchemasService =>
  new RegisteredSchemasService(new FixedSchemas(known), new FixedProblems(problems));
