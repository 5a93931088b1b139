import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ERROR_CODES } from '../../../src/core/errors.js';
import { PACKAGE_ROOT } from '../../../src/core/package-facts.js';

const text = readFileSync(join(PACKAGE_ROOT, 'config', 'otel-collector.yaml'), 'utf8');

const names = z.array(z.string());
const retry = z.strictObject({ enabled: z.boolean(), max_elapsed_time: z.string().optional() });
const pipeline = z.strictObject({ receivers: names, processors: names, exporters: names });

/** Operators of the filelog receiver, with their documented options. */
const operator = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('json_parser'),
    parse_from: z.string(),
    parse_to: z.string(),
    timestamp: z.strictObject({
      parse_from: z.string(),
      layout_type: z.enum(['strptime', 'gotime', 'epoch']),
      layout: z.string(),
    }),
  }),
  z.strictObject({
    type: z.literal('severity_parser'),
    if: z.string(),
    parse_from: z.string(),
    overwrite_text: z.boolean(),
    mapping: z.partialRecord(z.enum(['error', 'warn', 'info']), names),
  }),
  z.strictObject({
    type: z.literal('trace_parser'),
    if: z.string(),
    trace_id: z.strictObject({ parse_from: z.string() }),
    span_id: z.strictObject({ parse_from: z.string() }),
  }),
  z.strictObject({ type: z.literal('copy'), if: z.string(), from: z.string(), to: z.string() }),
]);

const receivers = z.strictObject({
  otlp: z.strictObject({ protocols: z.strictObject({ http: z.strictObject({ endpoint: z.string() }) }) }),
  filelog: z.strictObject({
    include: names,
    start_at: z.enum(['beginning', 'end']),
    include_file_path: z.boolean(),
    max_log_size: z.string(),
    poll_interval: z.string(),
    storage: z.string(),
    retry_on_failure: retry,
    resource: z.record(z.string(), z.string()),
    attributes: z.record(z.string(), z.string()),
    operators: z.array(operator),
  }),
  prometheus: z.strictObject({
    config: z.strictObject({
      scrape_configs: z.array(
        z.strictObject({
          job_name: z.string(),
          scrape_interval: z.string(),
          metrics_path: z.literal('/metrics'),
          authorization: z.strictObject({ type: z.literal('Bearer'), credentials: z.string() }),
          static_configs: z.array(z.strictObject({ targets: names })),
        }),
      ),
    }),
  }),
});

/** The parts of the Collector's configuration that are used here, as of 0.160; anything else is a mistake. */
const configSchema = z.strictObject({
  extensions: z.strictObject({
    health_check: z.strictObject({ endpoint: z.string() }),
    file_storage: z.strictObject({ directory: z.string(), create_directory: z.boolean() }),
  }),
  receivers,
  processors: z.strictObject({
    memory_limiter: z.strictObject({
      check_interval: z.string(),
      limit_percentage: z.int(),
      spike_limit_percentage: z.int(),
    }),
    batch: z.strictObject({ send_batch_size: z.int(), timeout: z.string() }),
  }),
  exporters: z.strictObject({
    otlphttp: z.strictObject({
      endpoint: z.string(),
      headers: z.record(z.string(), z.string()),
      retry_on_failure: retry,
      sending_queue: z.strictObject({ enabled: z.boolean(), queue_size: z.int() }),
    }),
    debug: z.strictObject({ verbosity: z.enum(['basic', 'normal', 'detailed']) }),
  }),
  service: z.strictObject({
    extensions: names,
    pipelines: z.record(z.string().regex(/^(?:traces|metrics|logs)(?:\/\w+)?$/), pipeline),
  }),
});

describe('config/otel-collector.yaml', () => {
  const config = configSchema.parse(parse(text));
  const pipelines = Object.values(config.service.pipelines);
  const { filelog } = config.receivers;

  it('uses only defined components in its pipelines', () => {
    const undefinedOf = (used: readonly string[], defined: object) =>
      used.filter((name) => !(name in defined));
    expect([
      ...undefinedOf(config.service.extensions, config.extensions),
      ...undefinedOf([filelog.storage], config.extensions),
      ...pipelines.flatMap((each) => undefinedOf(each.receivers, config.receivers)),
      ...pipelines.flatMap((each) => undefinedOf(each.processors, config.processors)),
      ...pipelines.flatMap((each) => undefinedOf(each.exporters, config.exporters)),
    ]).toEqual([]);
  });

  it('receives traces, metrics and logs, limits memory first and batches last', () => {
    expect(Object.keys(config.service.pipelines)).toEqual(['traces', 'metrics', 'logs']);
    expect(pipelines.map(({ processors }) => processors)).toEqual(Array(3).fill(['memory_limiter', 'batch']));
  });

  it('tails the files of the plan', () => {
    expect(filelog.include).toEqual([
      '${env:PITH_DIAGNOSTICS_DIR:-/app/reports/retrieval_diagnostics}/**/*.jsonl',
    ]);
    expect(config.service.pipelines['logs']?.receivers).toEqual(['otlp', 'filelog']);
  });

  it('maps every error code to a severity', () => {
    const codes = filelog.operators.flatMap((each) =>
      each.type === 'severity_parser' && each.parse_from === 'body.error.code'
        ? Object.values(each.mapping).flat()
        : [],
    );
    expect(codes.sort()).toEqual([...ERROR_CODES].sort());
  });

  it('contains secrets and addresses as variables only', () => {
    expect(config.exporters.otlphttp.endpoint).toBe('${env:BACKEND_OTLP_ENDPOINT}');
    expect(config.exporters.otlphttp.headers).toEqual({ authorization: '${env:BACKEND_AUTHORIZATION}' });
    const [scrape] = config.receivers.prometheus.config.scrape_configs;
    expect(scrape?.authorization.credentials).toBe('${env:PITH_ADMIN_TOKEN}');
  });
});
