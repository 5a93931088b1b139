import { z } from 'zod';
import { CONTROL_MESSAGE, hasNoControl } from '../text/control-characters.js';

// Guards read the scope before the arguments are checked as a whole.
const name = z.string().min(1).max(128).refine(hasNoControl, CONTROL_MESSAGE);
const names = z.array(name).max(64);

/** The `scope` argument of kb.* and graph.*. */
export const scopeSchema = z.strictObject({
  project_id: name.optional(),
  environment: name.optional(),
  doc_tags: names.optional(),
  repositories: names.optional(),
});
