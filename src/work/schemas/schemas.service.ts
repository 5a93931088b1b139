import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import type { Call } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { keptOf, listReply, type Reply, shownSkipped, wholeReply } from '../../core/reply.js';
import { canonicalArgument, jsonArgument } from '../json-argument.js';
import { ListCursors, pageFound } from '../list-pages.js';
import { projectOf } from '../work-space.js';
import { type CheckedSchema, narrowings, SchemaChecker } from './checking/schema-checker.js';
import { RegisteredSchemasService, type WantedSchema } from './registered-schemas.service.js';
import { SchemaStore, type SchemaVersion } from './schema-store.js';
import {
  type GotSchema,
  MAX_JSON_BYTES,
  type RegisteredSchema,
  type SchemaList,
  type Validated,
} from './schema-tools.schemas.js';

const MAX_NODES = 5_000;

function refused(reason: string, message: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(message, { reason, hint });
}

function* nodesIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const part of Object.values(value)) yield* nodesIn(part);
}

const REFERENCES = ['$ref', '$dynamicRef'] as const;

function checkReferences(node: object): void {
  for (const keyword of REFERENCES) {
    const target: unknown = Reflect.get(node, keyword);
    if (typeof target !== 'string' || target.startsWith('#')) continue;
    const hint = 'Copy what it refers to into $defs, and refer to "#/$defs/…".';
    throw refused('schema_refers_outside', `${keyword} may not refer to another document.`, hint);
  }
}

/**
 * Parses a schema and checks that it is small and refers to nothing outside itself.
 * @throws InvalidArgumentError `json_invalid`, `json_too_deep`, `schema_invalid`, `schema_too_large`, `schema_refers_outside`
 */
export function boundedSchema(text: string): CheckedSchema {
  const schema = jsonArgument(text, 'schema_json');
  if (typeof schema === 'boolean') return schema;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw refused('schema_invalid', 'A JSON Schema is an object, true or false.', 'Send such a schema.');
  let count = 0;
  for (const node of nodesIn(schema)) {
    if (++count > MAX_NODES) {
      const message = `A schema may have ${MAX_NODES} objects and lists.`;
      throw refused('schema_too_large', message, 'Split it, and register each part.');
    }
    checkReferences(node);
  }
  return schema as CheckedSchema;
}

/** A schema to register. */
export interface NewSchema {
  readonly name: string;
  /** JSON. */
  readonly text: string;
  readonly description: string;
  readonly isBackward: boolean;
}

export interface SchemaListPage {
  readonly limit: number;
  readonly cursor: string | null;
}

const MAX_SHOWN = 20;

const factsOf = ({ name, version, hash, description, principal, registeredAt }: SchemaVersion) => ({
  ...{ name, version, hash, description },
  registered_by: principal,
  registered_at: new Date(registeredAt).toISOString(),
});

@Injectable()
export class SchemasService {
  constructor(
    private readonly store: SchemaStore,
    private readonly checker: SchemaChecker,
    private readonly schemas: RegisteredSchemasService,
    private readonly signing: ServerSecret,
  ) {}

  /** @throws InvalidArgumentError `json_invalid`, `schema_invalid`, `schema_too_large`, `schema_incompatible`, … */
  async register(
    call: Call,
    { name, text, description, isBackward }: NewSchema,
  ): Promise<Reply<RegisteredSchema>> {
    const project = projectOf(call);
    const canonical = canonicalArgument(text, 'schema_json', MAX_JSON_BYTES);
    const schema = boundedSchema(canonical);
    await this.checker.problemsOf(call.caller.principal, schema, null);
    const hash = createHash('sha256').update(canonical).digest('hex');
    for (;;) {
      const latest = await this.store.find(project, name, null);
      if (latest?.hash === hash) return wholeReply({ name, version: latest.version, hash, is_new: false });
      if (latest && isBackward) checkCompatible(latest, schema);
      const version = (latest?.version ?? 0) + 1;
      const row = { name, version, hash, text: canonical, description };
      const facts = { principal: call.caller.principal, registeredAt: call.now() };
      // Another call may have registered a version meanwhile.
      if (await this.store.add(project, { ...row, ...facts }))
        return wholeReply({ name, version, hash, is_new: true });
      call.signal.throwIfAborted();
    }
  }

  /** @throws InvalidArgumentError `schema_not_found`, `json_invalid`, `json_too_deep`, `schema_too_costly` */
  async validate(call: Call, wanted: WantedSchema, valueText: string): Promise<Reply<Validated>> {
    const { name, version, text } = await this.schemas.find(call, wanted);
    const value = jsonArgument(valueText, 'value_json');
    const { principal } = call.caller;
    const problems = await this.checker.problemsOf(principal, JSON.parse(text) as CheckedSchema, value);
    return listReply({ count: problems.length, maxChars: 0 }, (fit) => ({
      ...{ name, version },
      is_valid: problems.length === 0,
      problems: keptOf(problems, fit),
      partial: fit.reason !== null,
      limit_reason: fit.reason ?? 'none',
      ...shownSkipped(fit),
    }));
  }

  /** @throws InvalidArgumentError `schema_not_found` */
  async get(call: Call, wanted: WantedSchema): Promise<Reply<GotSchema>> {
    const found = await this.schemas.find(call, wanted);
    const latest =
      wanted.version === null ? found : await this.schemas.find(call, { ...wanted, version: null });
    return wholeReply({ ...factsOf(found), latest_version: latest.version, schema_json: found.text });
  }

  /** @throws InvalidArgumentError for a bad cursor */
  async list(call: Call, { limit, cursor }: SchemaListPage): Promise<Reply<SchemaList>> {
    const cursors = new ListCursors(call, ['schema.list'], this.signing);
    const offset = cursors.offsetOf(cursor);
    const found = await this.store.list(projectOf(call), { offset, limit: limit + 1 });
    return cursors.reply(pageFound(found, offset, limit), (schemas, fields) => ({
      schemas: schemas.map(factsOf),
      ...fields,
    }));
  }
}

/** @throws InvalidArgumentError `schema_incompatible` */
function checkCompatible({ name, version, text }: SchemaVersion, after: CheckedSchema): void {
  const narrowed = narrowings(JSON.parse(text) as CheckedSchema, after);
  if (narrowed.length === 0) return;
  const shown = narrowed.slice(0, MAX_SHOWN);
  const more = narrowed.length - shown.length;
  throw new InvalidArgumentError(
    `Values that fit version ${version} of ${name} may not fit this schema: see ${shown.join(', ')}${more > 0 ? ` and ${more} more places` : ''}.`,
    {
      reason: 'schema_incompatible',
      hint: 'Keep these places as wide as they were, choose another name, or pass compatibility none.',
      details: { version, places: shown },
    },
  );
}
