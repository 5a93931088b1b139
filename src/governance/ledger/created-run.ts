import { randomBytes } from 'node:crypto';

const BYTES = 16;
const CREATED = new RegExp(`^run_[0-9a-f]{${2 * BYTES}}$`);

/** A new id for a run that `run.create` makes. Nobody can guess it. */
export const createdRunId = (): string => `run_${randomBytes(BYTES).toString('hex')}`;

/** True for ids of the form that `createdRunId` makes. */
export const isCreatedRunId = (id: string): boolean => CREATED.test(id);
