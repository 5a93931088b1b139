import { CORE_SCHEMA, load } from 'js-yaml';
import { parseDocument } from 'yaml';
import { decodeSource } from '../../reading/decode-source.js';
import { MalformedDocumentError } from '../../reading/parsed-document.js';
import { hasNestedKeys } from '../../reading/written-yaml.js';
import type { ConvertedText } from '../converted-text.js';
import { htmlPage } from '../html-text.js';
import { isJsonObject, type JsonObject, textIn } from '../json-object.js';
import { ApiFile } from './api-file.js';
import { asyncApiBody } from './asyncapi.js';
import { openApiBody } from './openapi.js';
import { schemaBody } from './property-tables.js';

/** Values that aliases of YAML may add. */
const MAX_ALIASES = 1_000;

/** Converts a description of an API (OpenAPI, Swagger, AsyncAPI), or a JSON Schema. @throws MalformedDocumentError */
export function convertApi(bytes: Uint8Array): ConvertedText {
  const text = decodeSource(bytes);
  const root = parse(text);
  const file = new ApiFile(root);
  const body = bodyHtml(file);
  const { info } = root;
  const title =
    textIn(isJsonObject(info) ? info['title'] : root['title']) || textIn(root['$id'] ?? root['id']);
  return htmlPage(title, body, [...file.leftOut(), ...laterDocuments(text)]);
}

/** The remark about documents of YAML after the first. A line of JSON does not begin with their mark. */
function laterDocuments(text: string): string[] {
  const documents = text.split(/^---(?=\s|$)/m).filter((part) => /^[ \t]*[^\s#%]/m.test(part)).length;
  return documents > 1 ? [`only the first of ${documents} documents in it is read`] : [];
}

function bodyHtml(file: ApiFile): string {
  if ('asyncapi' in file.root) return asyncApiBody(file);
  return 'openapi' in file.root || 'swagger' in file.root ? openApiBody(file) : schemaBody(file);
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = /^\s*\{/.test(text) ? parsedJson(text) : parsedYaml(text);
    if (isJsonObject(value)) return value;
  } catch (cause) {
    if (cause instanceof MalformedDocumentError) throw cause;
    const reason = cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : '';
    throw new MalformedDocumentError(0, `it is damaged: ${reason}`, { cause });
  }
  throw new MalformedDocumentError(0, 'it is no description of an API');
}

/** JSON with comments or with unquoted keys is YAML. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parsedYaml(text);
  }
}

function parsedYaml(text: string): unknown {
  // Brackets can stand in descriptions, so they are not counted; too many end as an error of the parser.
  if (hasNestedKeys(text)) throw new MalformedDocumentError(0, 'its YAML is nested too deeply');
  return plainYaml(text) ?? wholeYaml(text);
}

const ANCHOR = /(?:^|[\s,[{])&([^\s,[\]{}]+)/gm;
const ALIAS = /(?:^|[\s,[{])\*([^\s,[\]{}]+)/gm;

/** True if there may be an alias, which can add values again and again. Descriptions have the marks of both, but not one name. */
function hasAlias(text: string): boolean {
  const anchors = new Set(Array.from(text.matchAll(ANCHOR), ([, name]) => name));
  return anchors.size > 0 && Array.from(text.matchAll(ALIAS)).some(([, name]) => anchors.has(name));
}

/**
 * YAML without aliases, in an eighth of the time that its lossless parser takes.
 * @returns null for YAML that only the other parser reads, or whose fault it names
 */
function plainYaml(text: string): unknown {
  if (hasAlias(text)) return null;
  try {
    return load(text, { schema: CORE_SCHEMA, json: true });
  } catch {
    // The other parser reads it too, and says where it is damaged.
    return null;
  }
}

function wholeYaml(text: string): unknown {
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' });
  const [error] = document.errors;
  if (error)
    throw new MalformedDocumentError(
      error.linePos?.[0].line ?? 0,
      `its YAML is damaged: ${firstLine(error)}`,
    );
  return document.toJS({ maxAliasCount: MAX_ALIASES });
}

const firstLine = ({ message }: Error): string =>
  (message.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
