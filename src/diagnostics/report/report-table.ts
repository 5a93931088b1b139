/** A column of a report's table. Markdown, HTML and the terminal have their own kinds of cells and renderers. */
export interface ReportColumn<Row, Cell> {
  readonly name: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => Cell;
}

/** A column whose cells hold something else than numbers. */
export const words = <Row, Cell>(name: string, cell: (row: Row) => Cell): ReportColumn<Row, Cell> => ({
  name,
  cell,
});

/** A column of numbers, which align right. */
export const numbers = <Row, Cell>(name: string, cell: (row: Row) => Cell): ReportColumn<Row, Cell> => ({
  name,
  isNumber: true,
  cell,
});
