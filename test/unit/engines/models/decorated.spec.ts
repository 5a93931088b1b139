import type { SectionIndex } from '../../../../src/core/ports/section-index.port.js';
import { decorated } from '../../../../src/engines/models/decorated.js';
import { aScope, FixedIndex } from '../../../support/builders.js';

describe('a decorated port', () => {
  const inner: SectionIndex = new FixedIndex([]);
  const index = decorated(inner, {
    sections: async () => ({ generation: 'other', sections: [] }),
  });

  it('answers with the given methods', async () => {
    expect(await index.sections(aScope(), [])).toEqual({ generation: 'other', sections: [] });
  });

  it('passes other calls on, with their arguments and on the same object', async () => {
    const resources = jest.spyOn(inner, 'resources');
    await index.resources(aScope(), 'a.md', 3);
    expect(resources).toHaveBeenCalledWith(aScope(), 'a.md', 3);
    expect(resources.mock.contexts).toEqual([inner]);
  });
});
