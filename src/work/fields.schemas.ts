import { z } from 'zod';

export const sha256Schema = z
  .string()
  .max(64)
  .regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits in lower case');

/** One line of text without half characters, which have no UTF-8 form. */
export const lineSchema = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => text.isWellFormed(), 'must be valid Unicode');

/** JSON as text, because model APIs know no objects with arbitrary fields. Objects are taken as well. */
export const jsonSchema = (maxBytes: number) =>
  z.preprocess(
    (given) => (typeof given === 'object' && given !== null ? JSON.stringify(given) : given),
    z.string().min(1).max(maxBytes),
  );
