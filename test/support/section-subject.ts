import type { SectionIndexSubject } from '../contract/section-index.contract.js';
import { aQuery, idsOf, type QueryParts } from './indexed-documents.js';

interface SubjectOfEachTest {
  /** Forwards to the subject of the running test. */
  readonly subject: SectionIndexSubject;
  /** Ids of the sections that a search finds, best first. */
  readonly find: (text: string, parts?: QueryParts) => Promise<string[]>;
}

/** Makes a subject before each test of a suite, and disposes of it afterwards. */
export function subjectOfEachTest(make: () => Promise<SectionIndexSubject>): SubjectOfEachTest {
  let current: SectionIndexSubject;
  beforeEach(async () => {
    current = await make();
  });
  afterEach(() => current.dispose());
  const subject: SectionIndexSubject = {
    get index() {
      return current.index;
    },
    publish: (...documents) => current.publish(...documents),
    declare: (corpus, ...documents) => current.declare(corpus, ...documents),
    replace: (...documents) => current.replace(...documents),
    putGarbage: () => current.putGarbage(),
    ageIdentity: () => current.ageIdentity(),
    openWithOtherEmbedder: () => current.openWithOtherEmbedder(),
    remove: () => current.remove(),
    dispose: () => current.dispose(),
  };
  return { subject, find: async (text, parts) => idsOf(await current.index.search(aQuery(text, parts))) };
}
