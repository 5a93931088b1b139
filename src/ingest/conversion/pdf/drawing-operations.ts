import type { PageReader } from './drawn-text.js';
import { type Font, PLAIN } from './fonts.js';
import { IDENTITY, isList, matrixFrom, numberAt } from './matrix.js';
import type { Library } from './pdf-library.js';

const STROKES = [
  'stroke',
  'closeStroke',
  'fillStroke',
  'eoFillStroke',
  'closeFillStroke',
  'closeEOFillStroke',
] as const;
const FILLS = ['fill', 'eoFill'] as const;

export type Operation = (
  reader: PageReader,
  args: ArrayLike<unknown>,
  fonts: ReadonlyMap<string, Font>,
) => void;

function fontNamed(name: unknown, fonts: ReadonlyMap<string, Font>): Font {
  return (typeof name === 'string' ? fonts.get(name) : undefined) ?? PLAIN;
}

type Entries = readonly (readonly [number, Operation])[];

/** The effects of PDF.js operations on text and rules, by number. */
export const drawingOperations = (library: Library): ReadonlyMap<number, Operation> =>
  new Map([...graphicsOperations(library), ...textOperations(library)]);

const isArtifact = (mark: unknown): boolean =>
  mark === 'Artifact' ||
  (typeof mark === 'object' && mark !== null && 'name' in mark && mark.name === 'Artifact');

function graphicsOperations({ OPS }: Library): Entries {
  const strokes = new Set<unknown>(STROKES.map((name) => OPS[name]));
  const fills = new Set<unknown>(FILLS.map((name) => OPS[name]));
  const beginForm: Operation = (reader, args) => {
    reader.save();
    if (args[0]) reader.transform(matrixFrom(args[0]));
  };
  const mark: Operation = (reader, args) => reader.mark(isArtifact(args[0]));
  return [
    [OPS.save, (reader) => reader.save()],
    [OPS.restore, (reader) => reader.restore()],
    [OPS.transform, (reader, args) => reader.transform(matrixFrom(args))],
    [OPS.paintFormXObjectBegin, beginForm],
    [OPS.paintFormXObjectEnd, (reader) => reader.restore()],
    [OPS.beginAnnotation, (reader, args) => reader.beginAnnotation(matrixFrom(args[2]), matrixFrom(args[3]))],
    [OPS.endAnnotation, (reader) => reader.endAnnotation()],
    [OPS.beginMarkedContent, mark],
    [OPS.beginMarkedContentProps, mark],
    [OPS.endMarkedContent, (reader) => reader.endMark()],
    [OPS.setGState, setFontOfState],
    [
      OPS.constructPath,
      (reader, args) => {
        const isFilled = fills.has(args[0]);
        if (!isFilled && !strokes.has(args[0])) return;
        const [path] = Array.isArray(args[1]) ? args[1] : [];
        if (isList(path)) reader.path(path, isFilled);
      },
    ],
  ];
}

const setFontOfState: Operation = (reader, args, fonts) => {
  for (const entry of Array.isArray(args[0]) ? args[0] : []) {
    if (!Array.isArray(entry) || entry[0] !== 'Font' || !Array.isArray(entry[1])) continue;
    reader.set({ font: fontNamed(entry[1][0], fonts), size: numberAt(entry[1], 1) });
  }
};

function textOperations({ OPS }: Library): Entries {
  const setFont: Operation = (reader, args, fonts) =>
    reader.set({ font: fontNamed(args[0], fonts), size: numberAt(args, 1) });
  return [
    [OPS.beginText, (reader) => reader.moveTo(IDENTITY)],
    [OPS.setCharSpacing, (reader, args) => reader.set({ charSpacing: numberAt(args, 0) })],
    [OPS.setWordSpacing, (reader, args) => reader.set({ wordSpacing: numberAt(args, 0) })],
    [OPS.setHScale, (reader, args) => reader.set({ scale: numberAt(args, 0) / 100 })],
    [OPS.setLeading, (reader, args) => reader.set({ leading: numberAt(args, 0) })],
    [OPS.setTextRise, (reader, args) => reader.set({ rise: numberAt(args, 0) })],
    [OPS.setFont, setFont],
    [OPS.moveText, (reader, args) => reader.move(numberAt(args, 0), numberAt(args, 1))],
    [
      OPS.setLeadingMoveText,
      (reader, args) => {
        reader.set({ leading: -numberAt(args, 1) });
        reader.move(numberAt(args, 0), numberAt(args, 1));
      },
    ],
    [OPS.setTextMatrix, (reader, args) => reader.moveTo(matrixFrom(args[0] ?? args))],
    [OPS.nextLine, (reader) => reader.nextLine()],
    [OPS.showText, (reader, args) => reader.show(Array.isArray(args[0]) ? args[0] : [])],
  ];
}
