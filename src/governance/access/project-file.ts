import { z } from 'zod';

const MAX_PROJECTS = 32;
const MAX_SETTINGS = 128;

/** Settings that exist once in a server, and those that follow from the project. */
const OF_THE_SERVER =
  /^PITH_(?:HTTP_\w+|ADMIN_\w+|APPROVAL_WEBHOOK_\w+|ACCESS_FILE|AUDIT_FILE|SECRET|INDEX|PROJECT)$/;

const settingName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,127}$/)
  .refine(
    (name) => !OF_THE_SERVER.test(name),
    'this setting is one of the whole server, or follows from the project',
  );

const projectSchema = z.strictObject({
  index: z.string().min(1).max(4_096).describe('The index file, as PITH_INDEX.'),
  settings: z
    .record(settingName, z.string().max(65_536))
    .refine((settings) => Object.keys(settings).length <= MAX_SETTINGS, `at most ${MAX_SETTINGS} settings`)
    .default({})
    .describe(
      'Settings that differ from those of the server, such as its engines. Values can be env:NAME or file:PATH.',
    ),
});

/** The part `projects` of an access file. */
export const projectsSchema = z
  .record(z.string().min(1).max(128), projectSchema)
  .refine((projects) => Object.keys(projects).length <= MAX_PROJECTS, `at most ${MAX_PROJECTS} projects`)
  .describe(
    'Further projects that this server answers for, by their project id. Principals whose scope has this project_id ask its index.',
  );
