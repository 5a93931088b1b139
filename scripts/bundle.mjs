// Puts the built program and all that it loads into one file each: nine tenths of a start is finding and reading modules.
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');

// Loaded by name at run time (the driver is native; metrics and telemetry's SDK and engines only where somebody wants them), or asked
// for by Nest only if they are installed.
const external = [
  '@photostructure/sqlite',
  '@opentelemetry/core',
  '@opentelemetry/exporter-*',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-*',
  '@huggingface/*',
  '@qdrant/*',
  '@redis/*',
  'cockatiel',
  'neo4j-driver',
  'fsevents',
  '@fastify/*',
  '@grpc/*',
  '@nestjs/platform-fastify',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  'amqp-connection-manager',
  'amqplib',
  'class-transformer/storage',
  'ioredis',
  'kafkajs',
  'mqtt',
  'nats',
  'prom-client',
];

await build({
  entryPoints: {
    pith: join(dist, 'main.cli.js'),
    'reader-worker': join(dist, 'adapters', 'sqlite', 'reader-worker.js'),
    'onnx-worker': join(dist, 'adapters', 'onnx', 'onnx-worker.js'),
  },
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Nest shows class names in its messages.
  keepNames: true,
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'eof',
  logLevel: 'warning',
  external,
});
