import { BackendUnavailableError } from '../../core/errors.js';

const HINT = 'Run: PITH_GRAPH_ENGINE=neo4j pith index <folder>';

/** The error when nothing was published for this project and environment. */
export function graphMissing(): BackendUnavailableError {
  return new BackendUnavailableError('Neo4j holds no graph for this project and environment.', {
    reason: 'index_missing',
    hint: HINT,
  });
}

/** The error for a graph that this server can't read. */
export function graphIncompatible(why: string): BackendUnavailableError {
  return new BackendUnavailableError(`The graph in Neo4j can't be read: ${why}.`, {
    reason: 'index_incompatible',
    hint: HINT,
  });
}
