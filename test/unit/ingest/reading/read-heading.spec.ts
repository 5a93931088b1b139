import { readHeading } from '../../../../src/ingest/reading/read-heading.js';

describe('readHeading', () => {
  it.each([
    ['Moor {#berth}', 'Moor', 'berth'],
    ['Moor {#berth .wide key="a b"}', 'Moor', 'berth'],
    ['Moor {: .wide #berth }', 'Moor', 'berth'],
    ['Moor {:.no_toc}', 'Moor', null],
    ['Moor {.wide}', 'Moor', null],
    ['Moor {-}', 'Moor', null],
    ['Moor <small>May</small> { id="1.2" }', 'Moor May', '1.2'],
    ['Moor { data-search-exclude }', 'Moor', null],
    ['Moor {/* #berth */}', 'Moor', 'berth'],
    ['Moor {/*berth*/}', 'Moor', 'berth'],
    ['Moor <!-- #berth -->', 'Moor', 'berth'],
    ['Moor \\{#berth}', 'Moor', 'berth'],
    ['係留{#berth}', '係留', 'berth'],
    ['<a name="berth">Moor</a>', 'Moor', 'berth'],
    ['<a class="x" id="berth"></a>Moor', 'Moor', 'berth'],
    ['<img src="x.svg" alt="Harbour tool">', 'Harbour tool', null],
    ['Moor <Badge type="tip" text="2.1" />', 'Moor 2.1', null],
    ['Moor <Badge type="tip">new</Badge>', 'Moor new', null],
    ['Moor<T> in <Berth />', 'Moor<T> in <Berth />', null],
    ['Moor<T extends object = {}>', 'Moor<T extends object = {}>', null],
    ['Moor <Badge :text="note" />', 'Moor', null],
  ])('reads %s', (source, title, anchor) => {
    expect(readHeading(source)).toEqual({ title, anchor });
  });

  it.each(['GET /berths/{id}', 'Moor {name}', 'A set { a, b }', 'path{#berth}'])(
    'keeps the braces of %s',
    (source) => {
      expect(readHeading(source)).toEqual({ title: source, anchor: null });
    },
  );
});
