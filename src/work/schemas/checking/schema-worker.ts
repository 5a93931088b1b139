import { parentPort } from 'node:worker_threads';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaAnswer, SchemaTask } from './schema-checker.js';

const MAX_PROBLEMS = 100;
const MAX_MESSAGE = 300;

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE);

function answer({ schema, value }: SchemaTask): SchemaAnswer {
  // A new instance each time: a schema with an $id must not be found by the next one.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false });
  try {
    const validate = ajv.compile(schema);
    validate(value);
    const problems = (validate.errors ?? []).slice(0, MAX_PROBLEMS);
    return {
      problems: problems.map(({ instancePath, message, params }) => ({
        path: instancePath,
        message: `${message ?? 'does not fit'}${extraOf(params)}`.slice(0, MAX_MESSAGE),
      })),
    };
  } catch (error) {
    return { invalid: messageOf(error) };
  }
}

/** Details that the message of the library leaves out. */
function extraOf(params: Readonly<Record<string, unknown>>): string {
  const { additionalProperty, allowedValues } = params;
  if (typeof additionalProperty === 'string') return `: ${additionalProperty}`;
  return Array.isArray(allowedValues) ? `: ${JSON.stringify(allowedValues)}` : '';
}

parentPort?.on('message', (message: SchemaTask | 'close') => {
  if (message === 'close') parentPort?.close();
  else parentPort?.postMessage(answer(message));
});
