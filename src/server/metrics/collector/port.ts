/** Points of one shape (measurement, names of tags and fields) on their way to the writer's thread. */
export interface ShapeBatch {
  readonly measurement: string;
  readonly tags: readonly string[];
  readonly fields: readonly string[];
  readonly count: number;
  /** Values of the tags of all points, one after another, with U+0000 between: one text crosses to a thread quicker than thousands. '' = without the tag. */
  readonly texts: string;
  /** Unix ms. */
  readonly times: Float64Array<ArrayBuffer>;
  /** Point by point; NaN = without the field. */
  readonly values: Float64Array<ArrayBuffer>;
}

/** Points of a measurement with these tags and fields: what a place in the code records is known beforehand. */
export interface Shape {
  readonly measurement: string;
  readonly tags: readonly string[];
  readonly fields: readonly string[];
}
