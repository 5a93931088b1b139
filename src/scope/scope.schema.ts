import { z } from 'zod';

const name = z.string().min(1).max(128);
const names = z.array(name).max(64);

/** The `scope` object that kb.* and graph.* take. */
export const scopeSchema = z.strictObject({
  project_id: name.optional(),
  environment: name.optional(),
  doc_tags: names.optional(),
  repositories: names.optional(),
});
