/** As `DataTable.module.css` has them: the room beside the words of a head, and of the arrow of one that sorts. */
const PADDING = 21;
const ARROW = 18;

/** Measures the words of a column's head: what another language calls it may need more room than its column was given. Answers pixels. */
export function createHeadMeasure(document: Document): (header: string, sorts: boolean) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return () => 0;
  context.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
  return (header, sorts) =>
    header === '' ? 0 : Math.ceil(context.measureText(header).width) + PADDING + (sorts ? ARROW : 0);
}
