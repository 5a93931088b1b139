import { z } from 'zod';
import { MAX_DESCRIPTION, MAX_INSTRUCTIONS } from '../../core/corpus-facts.js';
import { KEY, MAX_VALUE_CHARS } from '../reading/metadata-entry.js';

const MAX_TEMPLATE_CHARS = 32_000;
const MAX_ENTRIES = 64;

const few = (values: object): boolean => Object.keys(values).length <= MAX_ENTRIES;
const TOO_MANY = `at most ${MAX_ENTRIES} entries`;

export const descriptionSchema = z
  .string()
  .min(1)
  .max(MAX_DESCRIPTION)
  .describe('A short name of the documents, such as "Harbour handbook". Tool descriptions contain it.');

export const instructionsSchema = z
  .string()
  .min(1)
  .max(MAX_INSTRUCTIONS)
  .describe('Instructions that a server sends to every client at the start of a session.');

/** Numbers keep their spelling (7.10 stays 7.10), because `checkMetadata` first replaces them by their source text. */
export const metadataSchema = z
  .record(z.string().regex(KEY), z.union([z.string().max(1_024), z.number(), z.boolean()]))
  .refine(few, TOO_MANY);

const valueSchema = z.strictObject({
  resource: z.boolean().optional().describe('Whether documents with this value are available as resources.'),
});

export const taxonomySchema = z
  .record(
    z.string().regex(KEY),
    z.strictObject({
      description: z
        .string()
        .min(1)
        .max(MAX_DESCRIPTION)
        .optional()
        .describe('The meaning of the key, for agents.'),
      collapse: z
        .boolean()
        .optional()
        .describe(
          'Whether a section that exists under several values is returned once: true always, false never. Default: only when the texts are nearly equal.',
        ),
      resource: z
        .boolean()
        .optional()
        .describe('Whether documents with any value are available as resources.'),
      values: z
        .record(z.string().min(1).max(MAX_VALUE_CHARS), valueSchema)
        .refine((values) => Object.keys(values).length <= 512, 'at most 512 values')
        .optional()
        .describe('Properties of single values.'),
    }),
  )
  .refine(few, TOO_MANY)
  .describe('Taxonomy keys that distinguish documents.');

export const argumentSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'use letters, digits, "_" and "-", starting with a letter'),
  title: z.string().max(200).optional(),
  description: z.string().max(500).optional(),
  required: z.boolean().optional(),
});

export const promptNameSchema = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_./ -]{0,127}$/u, 'use at most 128 letters, digits, spaces and "_./-"');

export const promptFacts = {
  title: z.string().min(1).max(200).optional(),
  description: z.string().min(1).max(1_000).optional(),
  arguments: z.array(argumentSchema).max(32).optional(),
};

const messageSchema = z.strictObject({
  role: z.enum(['user', 'assistant']).optional().describe('Default: user.'),
  content: z.string().min(1).max(MAX_TEMPLATE_CHARS).describe('The text, a Mustache template.'),
});

export const promptsSchema = z
  .array(
    z
      .strictObject({
        name: promptNameSchema,
        ...promptFacts,
        template: z
          .string()
          .min(1)
          .max(512)
          .optional()
          .describe('A file with the text, a Mustache template. It is inside the folder and is not indexed.'),
        messages: z.array(messageSchema).min(1).max(16).optional().describe('The texts, instead of a file.'),
      })
      .refine(
        ({ template, messages }) => (template === undefined) !== (messages === undefined),
        'needs either `template` or `messages`',
      ),
  )
  .max(MAX_ENTRIES)
  .describe('Prompts that a server offers.');

export type DeclaredPrompt = z.output<typeof promptsSchema>[number];
export type DeclaredTaxonomy = z.output<typeof taxonomySchema>;
