import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

type Json = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, unknown>>;

/** A received span; ids in hex, attributes as a plain object. */
export interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for a root span. */
  readonly parentSpanId: string | undefined;
  readonly kind: number;
  readonly attributes: Values;
  readonly events: readonly { readonly name: string; readonly attributes: Values }[];
  readonly status: { readonly code?: number; readonly message?: string };
  readonly resource: Values;
}

interface SentLog {
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  readonly severityText: string;
  readonly body: unknown;
  readonly attributes: Values;
  readonly resource: Values;
}

interface SentMetric {
  readonly name: string;
  readonly unit: string;
  /** Attributes and value of every series; the value is a number, or sum and count of a histogram. */
  readonly points: readonly { readonly attributes: Values; readonly value: unknown }[];
}

/** A collector that receives OTLP as JSON over HTTP and returns the received data. */
export interface OtlpCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  /** The environment that makes a server send its data here, without long delays. */
  readonly env: Readonly<Record<string, string>>;
  readonly spans: () => SentSpan[];
  readonly logs: () => SentLog[];
  /** The latest state of every metric. */
  readonly metrics: () => SentMetric[];
  /** All raw bodies, to check that they don't contain forbidden data. */
  readonly text: () => string;
  /** Sets the status of all later responses. */
  readonly answerWith: (status: number) => void;
  readonly close: () => Promise<void>;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const child = (value: unknown): Json => (isObject(value) ? value : {});
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNone = (value: unknown): string | undefined => text(value) || undefined;

/** Unwraps a value; OTLP wraps every value in an object with its type. */
function unwrap(value: unknown): unknown {
  const [[type, inner] = ['', undefined]] = Object.entries(child(value));
  if (type === 'arrayValue') return list(child(inner)['values']).map(unwrap);
  return type === 'intValue' || type === 'asInt' ? Number(inner) : inner;
}

const valuesOf = (owner: Json): Values =>
  Object.fromEntries(list(owner['attributes']).map(({ key, value }) => [text(key), unwrap(value)]));

/** Items with their resource: `resourceSpans` → `scopeSpans` → `spans`, and so on. */
function itemsOf(body: Json, kind: 'Spans' | 'Logs' | 'Metrics', items: string): [Json, Values][] {
  return list(body[`resource${kind}`]).flatMap((from) =>
    list(from[`scope${kind}`]).flatMap((scope) =>
      list(scope[items]).map((item): [Json, Values] => [item, valuesOf(child(from['resource']))]),
    ),
  );
}

function toSpan([span, resource]: [Json, Values]): SentSpan {
  return {
    name: text(span['name']),
    traceId: text(span['traceId']),
    spanId: text(span['spanId']),
    parentSpanId: textOrNone(span['parentSpanId']),
    kind: Number(span['kind']),
    attributes: valuesOf(span),
    events: list(span['events']).map((event) => ({ name: text(event['name']), attributes: valuesOf(event) })),
    status: child(span['status']),
    resource,
  };
}

function toLog([log, resource]: [Json, Values]): SentLog {
  return {
    traceId: textOrNone(log['traceId']),
    spanId: textOrNone(log['spanId']),
    severityText: text(log['severityText']),
    body: unwrap(log['body']),
    attributes: valuesOf(log),
    resource,
  };
}

function toMetric([metric]: [Json, Values]): SentMetric {
  const held = child(metric['sum'] ?? metric['gauge'] ?? metric['histogram']);
  const points = list(held['dataPoints']).map((point) => ({
    attributes: valuesOf(point),
    value: point['asDouble'] ?? point['asInt'] ?? { sum: point['sum'], count: Number(point['count']) },
  }));
  return { name: text(metric['name']), unit: text(metric['unit']), points };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const bytes = Buffer.concat(chunks);
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** Starts a collector on a free port. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const bodies: { readonly path: string; readonly text: string }[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      bodies.push({ path: request.url ?? '', text: body });
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const at = (path: string): Json[] =>
    bodies.filter((body) => body.path === path).map((body) => child(JSON.parse(body.text)));
  return {
    endpoint,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '250',
    },
    spans: () => at('/v1/traces').flatMap((body) => itemsOf(body, 'Spans', 'spans').map(toSpan)),
    logs: () => at('/v1/logs').flatMap((body) => itemsOf(body, 'Logs', 'logRecords').map(toLog)),
    metrics: () => {
      const all = at('/v1/metrics').flatMap((body) => itemsOf(body, 'Metrics', 'metrics').map(toMetric));
      return [...new Map(all.map((metric) => [metric.name, metric])).values()];
    },
    text: () => bodies.map((body) => body.text).join('\n'),
    answerWith: (next) => {
      status = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
