import { z } from 'zod';
import { KEY, MAX_VALUE_CHARS } from './metadata-entry.js';

/** So that the instructions of a server, which every session reads, stay a page. */
const MAX_INSTRUCTIONS = 4_000;
/** What lists of tools show of one. */
const MAX_DESCRIPTION = 300;
const MAX_TEMPLATE_CHARS = 32_000;
const MAX_ENTRIES = 64;

const few = (values: object): boolean => Object.keys(values).length <= MAX_ENTRIES;
const TOO_MANY = `at most ${MAX_ENTRIES} entries`;

export const descriptionSchema = z
  .string()
  .min(1)
  .max(MAX_DESCRIPTION)
  .describe(
    'What the documents are, in a few words, such as "Harbour handbook": tools name themselves after it.',
  );

export const instructionsSchema = z
  .string()
  .min(1)
  .max(MAX_INSTRUCTIONS)
  .describe('What a server tells every client at the start of a session.');

/** Values as they are written: 7.10 stays 7.10. */
export const metadataSchema = z
  .record(z.string().regex(KEY), z.union([z.string().max(1_024), z.number(), z.boolean()]))
  .refine(few, TOO_MANY);

const valueSchema = z.strictObject({
  resource: z
    .boolean()
    .optional()
    .describe('Whether documents with this value are offered whole, as resources.'),
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
        .describe('What the key means, for agents.'),
      collapse: z
        .boolean()
        .optional()
        .describe(
          'Whether a section that is there under several values is found once: true always, false never. Default: where the texts are much alike.',
        ),
      resource: z
        .boolean()
        .optional()
        .describe('Whether documents with any value are offered whole, as resources.'),
      values: z
        .record(z.string().min(1).max(MAX_VALUE_CHARS), valueSchema)
        .refine((values) => Object.keys(values).length <= 512, 'at most 512 values')
        .optional()
        .describe('What is said of single values.'),
    }),
  )
  .refine(few, TOO_MANY)
  .describe('What documents can be told apart by, key by key.');

export const argumentSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'letters, digits, "_" and "-", a letter first'),
  title: z.string().max(200).optional(),
  description: z.string().max(500).optional(),
  required: z.boolean().optional(),
});

export const promptNameSchema = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_./ -]{0,127}$/u, 'letters, digits, spaces and "_./-", at most 128');

export const promptFacts = {
  title: z.string().min(1).max(200).optional(),
  description: z.string().min(1).max(1_000).optional(),
  arguments: z.array(argumentSchema).max(32).optional(),
};

const messageSchema = z.strictObject({
  role: z.enum(['user', 'assistant']).optional().describe('Default: user.'),
  content: z.string().min(1).max(MAX_TEMPLATE_CHARS).describe('The text, in Mustache.'),
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
          .describe('A file with the text, in Mustache; within the folder, and not indexed.'),
        messages: z.array(messageSchema).min(1).max(16).optional().describe('The texts, in place of a file.'),
      })
      .refine(
        ({ template, messages }) => (template === undefined) !== (messages === undefined),
        'needs either `template` or `messages`',
      ),
  )
  .max(MAX_ENTRIES)
  .describe('Prompts that servers offer.');

export type DeclaredPrompt = z.output<typeof promptsSchema>[number];
export type DeclaredTaxonomy = z.output<typeof taxonomySchema>;
