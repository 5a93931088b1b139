import { z } from 'zod';

const names = z.array(z.string().min(1).max(128)).max(64);

/** The `scope` object that kb.* and graph.* take. */
export const scopeSchema = z.strictObject({
  project_id: z.string().min(1).max(128).optional(),
  environment: z.string().min(1).max(128).optional(),
  doc_tags: names.optional(),
  repositories: names.optional(),
});
