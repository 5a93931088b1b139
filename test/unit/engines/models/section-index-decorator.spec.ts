import type {
  SearchAnswer,
  SectionIndex,
  SectionQuery,
  StoredSections,
} from '../../../../src/core/ports/section-index.port.js';
import { SectionIndexDecorator } from '../../../../src/engines/models/section-index-decorator.js';
import { aScope, FixedIndex } from '../../../support/builders.js';

class WithoutSections extends SectionIndexDecorator {
  search(query: SectionQuery): Promise<SearchAnswer> {
    return this.inner.search(query);
  }

  override async sections(): Promise<StoredSections> {
    return { generation: 'overridden', sections: [] };
  }
}

describe('SectionIndexDecorator', () => {
  const inner: SectionIndex = new FixedIndex([]);
  const index = new WithoutSections(inner);

  it('lets a subclass override a method', async () => {
    expect(await index.sections()).toEqual({ generation: 'overridden', sections: [] });
  });

  it('forwards the other methods with their arguments', async () => {
    const asked = jest.spyOn(inner, 'resources');
    await index.resources(aScope(), 'a.md', 3);
    expect(asked).toHaveBeenCalledWith(aScope(), 'a.md', 3);
  });
});
