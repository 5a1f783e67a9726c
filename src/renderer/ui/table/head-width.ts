/** As `DataTable.module.css` has them: the room beside the words of a head, and of the arrow of one that sorts. */
const PADDING = 21;
const ARROW = 18;

type HeadMeasure = (header: string, sorts: boolean) => number;
/** A canvas for all tables of a window: to make one takes longer than to measure a head. */
const measures = new WeakMap<Document, HeadMeasure>();

/** Measures the words of a column's head: what another language calls it may need more room than its column was given. Answers pixels. */
export function headMeasure(document: Document): HeadMeasure {
  const there = measures.get(document);
  if (there !== undefined) return there;
  const measure = createHeadMeasure(document);
  measures.set(document, measure);
  return measure;
}

function createHeadMeasure(document: Document): HeadMeasure {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return () => 0;
  context.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
  return (header, sorts) =>
    header === '' ? 0 : Math.ceil(context.measureText(header).width) + PADDING + (sorts ? ARROW : 0);
}
