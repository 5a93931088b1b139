import { docutilsId } from '../../../../../src/ingest/reading/anchors/docutils-id.js';

describe('docutilsId', () => {
  it.each([
    ["Why doesn't it moor?", 'why-doesn-t-it-moor'],
    ['moor.all() in v1.2', 'moor-all-in-v1-2'],
    ['2. Set the _sails_', 'set-the-sails'],
    ['Größe und Ärger', 'grosze-und-arger'],
    ['harbour_pilot', 'harbour-pilot'],
    ['Причал', ''],
  ])('makes of %s the id %s', (name, id) => {
    expect(docutilsId(name)).toBe(id);
  });
});
